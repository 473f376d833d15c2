//! Trees and call stacks in bytes.

use super::ExportError;
use super::document::{Document, Frame};
use crate::formats::shares::Shares;
use crate::formats::stacks::{OTHER_SITES, UNKNOWN, stack};
use crate::known::is_complete;
use memprof_profile::Profile;
use memprof_profile::text::Shown;
use memprof_profile::views::JsonError;
use memprof_recording::document::{Place, RootReading, Site, Snapshot, SourceReading, Summary};
use std::io::{self, Write};

/// Writes a profile for each root and source of a snapshot.
pub(super) fn trees(
    document: &mut Document<impl Write>,
    snapshot: &Snapshot,
) -> Result<(), ExportError> {
    let roots = snapshot.roots.iter().map(|root| {
        let note = if is_complete(root) { "" } else { root.state.as_str() };
        (&root.name, note, RootReading::profile(root))
    });
    let sources = snapshot.sources.iter();
    let sources = sources.map(|source| (&source.name, "", SourceReading::profile(source)));
    for (name, note, profile) in roots.chain(sources) {
        let Some(profile) = profile else { continue };
        let wrong = |error: JsonError| ExportError::profile(name, snapshot.number, error);
        let mut title = format!("{} · {}", Shown(name), snapshot.title());
        if !note.is_empty() {
            // The title has the reason why the profile is incomplete.
            title = format!("{title} · {note}");
        }
        tree(document, &title, &profile.map_err(wrong)?)?;
    }
    Ok(())
}

/// Writes a tree: one stack for each branch with own bytes.
pub(super) fn tree(
    document: &mut Document<impl Write>,
    title: &str,
    profile: &Profile,
) -> io::Result<()> {
    let root = profile.root();
    let mut stacks = Vec::new();
    let mut above = Vec::new();
    // The branches on the current path, with the children still to visit.
    let mut open = vec![[root].into_iter().collect::<Vec<_>>()];
    while let Some(siblings) = open.last_mut() {
        let Some(branch) = siblings.pop() else {
            open.pop();
            above.pop();
            continue;
        };
        above.push(document.frame(Frame::named(branch.name())));
        if branch.own_bytes() > 0 {
            stacks.push((above.clone(), branch.own_bytes()));
        }
        let mut children: Vec<_> = branch.children().collect();
        children.reverse();
        open.push(children);
    }
    document.stacks(title, stacks)
}

/// Writes the live bytes of sampled call sites, if samples were taken. They are rounded so that
/// they add up.
pub(super) fn sites(document: &mut Document<impl Write>, summary: &Summary) -> io::Result<()> {
    if summary.sites.is_empty() && summary.other_sites.is_none() {
        return Ok(());
    }
    let mut shares = Shares::default();
    let mut stacks: Vec<(Vec<usize>, u64)> =
        summary.sites.iter().map(|site| (frames(document, site), shares.next(site.live))).collect();
    if let Some(other) = summary.other_sites {
        let frame = document.frame(Frame::named(OTHER_SITES));
        stacks.push((vec![frame], shares.next(other)));
    }
    document.stacks("live bytes by call stack, sampled", stacks)
}

/// Returns the frames of a call site, the outermost first.
fn frames(document: &mut Document<impl Write>, site: &Site) -> Vec<usize> {
    let frame = |place: &Place| {
        let name = place.function.as_deref().or(place.file.as_deref());
        document.frame(Frame {
            name: name.unwrap_or(UNKNOWN),
            file: place.file.as_deref(),
            line: place.line,
        })
    };
    stack(site).iter().rev().map(frame).collect()
}
