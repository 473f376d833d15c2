//! The call sites whose memory was live at one moment, as users read them, and the roots that held
//! it.

use super::suspects::key_places;
use super::words::place_within;
use crate::Recording;
use crate::document::{Estimate, LiveStacks, Place, RootReading, RootState, Snapshot};
use memprof_profile::text::key_line;
use std::collections::{HashMap, HashSet};

/// A call site with the memory that was live at a moment. [`Recording::live_sites`] returns them.
///
/// Frames of the standard library, of executors that run other code and of memprof are folded, as in a
/// [`Suspect`](super::Suspect).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LiveSite {
    /// The first frame of the user's own packages, going outwards; `None` if the stack has none.
    pub your_code: Option<Place>,
    /// The function of a dependency that the user's code called; `None` if the user's code
    /// allocates.
    pub called: Option<Place>,
    /// The function that allocates: the innermost one that is not folded.
    pub allocates: Place,
    /// The operations in which the memory was allocated, each with its names, outermost first.
    pub operations: Vec<Vec<String>>,
    /// The roots that reached the memory, each with its part of the memory. The largest part comes
    /// first.
    pub roots: Vec<(String, Estimate)>,
    /// Live bytes.
    pub live: Estimate,
    /// Live blocks.
    pub live_blocks: Estimate,
    /// The call stack with the most live bytes, innermost frame first.
    pub stack: Vec<Place>,
}

/// The identity of a place.
type Key = (Option<String>, Option<String>, Option<u32>);

/// The identity of a call site: its lines, or the number of its stack if the stack has no names.
#[derive(PartialEq, Eq, Hash)]
enum Site {
    Named(Key, Option<Key>),
    Stack(u32),
}

impl Recording {
    /// Returns the call sites whose memory was live at a moment, the largest first.
    ///
    /// Each sampled byte is in exactly one call site. Stacks whose user's line and allocating line
    /// are the same are one call site.
    ///
    /// ```no_run
    /// # let recording = memprof::session::Recording::read_file("session.json")?;
    /// if let Some(peak) = recording.peak_stacks() {
    ///     for site in recording.live_sites(peak) {
    ///         println!("{:?} held {} bytes", site.your_code, site.live.value);
    ///     }
    /// }
    /// # Ok::<(), memprof::session::RecordingError>(())
    /// ```
    pub fn live_sites(&self, moment: &LiveStacks) -> Vec<LiveSite> {
        let named = self.stacks.named();
        let paths: HashMap<u32, &[String]> =
            self.operation_paths.iter().map(|path| (path.path, &path.names[..])).collect();
        let mut sites: Vec<LiveSite> = Vec::new();
        let mut known: HashMap<Site, usize> = HashMap::new();
        let mut by_stack: HashMap<u32, usize> = HashMap::new();
        let mut operations: HashSet<(usize, &[String])> = HashSet::new();
        let mut roots: HashMap<(usize, &str), usize> = HashMap::new();
        for row in &moment.rows {
            // Rows are in the order of their bytes, so the first stack of a site is its largest.
            let index = *by_stack.entry(row.stack).or_insert_with(|| {
                let frames = self.stacks.frames_of(row.stack, &named);
                let site = LiveSite::of(row.stack, frames, &self.metadata.program);
                *known.entry(site.key(row.stack)).or_insert_with(|| {
                    sites.push(site);
                    sites.len() - 1
                })
            });
            let operation = row.path.map_or(&[][..], |path| paths.get(&path).unwrap_or(&&[][..]));
            let root = row.root.and_then(|root| moment.root_names.get(root as usize));
            let site = &mut sites[index];
            site.live = site.live.plus(&row.live);
            site.live_blocks = site.live_blocks.plus(&row.live_blocks);
            if operations.insert((index, operation)) {
                site.operations.push(operation.to_vec());
            }
            let Some(root) = root else { continue };
            let held = *roots.entry((index, root)).or_insert_with(|| {
                site.roots.push((root.clone(), Estimate::default()));
                site.roots.len() - 1
            });
            let held = &mut site.roots[held].1;
            *held = held.plus(&row.live);
        }
        for site in &mut sites {
            site.roots.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
        }
        sites.sort_by(|a, b| b.live.value.total_cmp(&a.live.value));
        sites
    }

    /// Returns the call stacks whose memory was live at a moment, each with its frames, the
    /// innermost first, its live bytes and its live blocks.
    ///
    /// The largest stack comes first. A stack that the file lacks has no frames.
    pub fn live_stack_frames(&self, moment: &LiveStacks) -> Vec<(Vec<Place>, Estimate, Estimate)> {
        let named = self.stacks.named();
        let mut stacks: Vec<(u32, Estimate, Estimate)> = Vec::new();
        let mut known: HashMap<u32, usize> = HashMap::new();
        for row in &moment.rows {
            let index = *known.entry(row.stack).or_insert_with(|| {
                stacks.push((row.stack, Estimate::default(), Estimate::default()));
                stacks.len() - 1
            });
            let sum = &mut stacks[index];
            sum.1 = sum.1.plus(&row.live);
            sum.2 = sum.2.plus(&row.live_blocks);
        }
        stacks.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
        let frames = |stack| self.stacks.frames_of(stack, &named);
        stacks.into_iter().map(|(stack, live, blocks)| (frames(stack), live, blocks)).collect()
    }

    /// Returns the bytes of each root at a moment, with the snapshot that read them.
    ///
    /// The bytes are from the snapshot of the moment, or from the nearest snapshot that walked the
    /// root. Snapshots that found it locked count only if no snapshot walked it. The largest root
    /// comes first.
    pub fn roots_at<'r>(&'r self, moment: &LiveStacks) -> Vec<(&'r RootReading, &'r Snapshot)> {
        let distance = |(root, snapshot): (&RootReading, &Snapshot)| {
            let is_walked = matches!(root.state, RootState::Profiled | RootState::Partial);
            let is_other = moment.snapshot != Some(snapshot.number);
            (!is_walked, is_other, snapshot.at_ns.abs_diff(moment.at_ns))
        };
        let mut nearest: HashMap<&str, (&'r RootReading, &'r Snapshot)> = HashMap::new();
        for snapshot in &self.snapshots {
            for root in snapshot.roots.iter().filter(|root| root.total_bytes.is_some()) {
                let known = nearest.entry(&root.name).or_insert((root, snapshot));
                if distance((root, snapshot)) < distance(*known) {
                    *known = (root, snapshot);
                }
            }
        }
        let mut roots: Vec<_> = nearest.into_values().collect();
        roots.sort_by(|(a, _), (b, _)| {
            b.total_bytes.cmp(&a.total_bytes).then_with(|| a.name.cmp(&b.name))
        });
        roots
    }
}

impl LiveSite {
    fn of(stack: u32, frames: Vec<Place>, program: &str) -> Self {
        let mut place = frames.first().cloned().unwrap_or_default();
        if frames.is_empty() && stack == 0 {
            // The queries of memprof-heap name these stacks by the same text.
            place.function = Some("other sites: the table of call sites is full".to_owned());
        }
        let (key, allocates) = key_places(&place, &frames, program);
        Self {
            your_code: key.your_code.cloned(),
            called: key.called.cloned(),
            allocates: allocates.clone(),
            operations: Vec::new(),
            roots: Vec::new(),
            live: Estimate::default(),
            live_blocks: Estimate::default(),
            stack: frames,
        }
    }

    fn key(&self, stack: u32) -> Site {
        let key = |place: &Place| (place.function.clone(), place.file.clone(), place.line);
        if self.allocates.function.is_none() && self.allocates.file.is_none() {
            return Site::Stack(stack);
        }
        Site::Named(key(&self.allocates), self.your_code.as_ref().map(key))
    }

    /// Formats the site in one line: `serve (src/main.rs:19) → new (tokio-util-0.7.1/…:144)`, as
    /// suspects are formatted. Files are relative to `folder`.
    pub(super) fn line(&self, width: usize, folder: Option<&str>) -> String {
        let text = |place: &Place| place_within(width, place, folder);
        key_line(self.your_code.as_ref(), &self.allocates, text)
    }
}

#[cfg(test)]
mod tests {
    use crate::Recording;
    use crate::document::{Estimate, LiveStacks};
    use memprof_profile::views::Units;

    const METADATA: &str = r#"{"program":"app","pid":7,"memprof":"0.1.0","platform":"linux x86_64","started_unix_ns":5,"generated_at":"1970-01-01T00:00:00Z","generated_ns":9,"interval_ns":5000000000,"snapshots":1,"operations_tracked":true,"ended":"running"}"#;

    #[test]
    fn operations_and_roots_of_a_site_are_listed_once_and_roots_are_added_up() {
        let text = r#"{"at_ns":5,"trigger":"peak","live_bytes":96,"root_names":["a","b"],
            "rows":[[7,null,0,64,0,1,0,1],[7,null,1,90,0,1,0,1],[7,2,0,32,0,1,0,1],[8,null,0,1,0,1,0,1],[0,null,0,0.5,0,1,0,1]]}"#;
        let moment: LiveStacks = serde_json::from_str(text).expect("it is complete");
        let timeline =
            format!("{{\"format\":\"memprof timeline\",\"version\":1,\"metadata\":{METADATA}}}\n");
        let mut recording = Recording::from_text(&timeline).expect("it is complete");
        recording.stacks.addresses = [(7, vec![70]), (8, vec![80])].into();
        let sites = recording.live_sites(&moment);
        let roots = |index: usize| {
            let of = |(name, live): &(String, Estimate)| (name.clone(), live.value, live.samples);
            sites[index].roots.iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(roots(0), [("a".to_owned(), 96.0, 2), ("b".to_owned(), 90.0, 1)]);
        assert_eq!(roots(1), [("a".to_owned(), 1.0, 1)]);
        assert_eq!(sites[0].operations, [Vec::<String>::new()], "path 2 has no names");
        let others = sites[2].allocates.function.as_deref();
        assert_eq!(others, Some("other sites: the table of call sites is full"));
    }

    #[test]
    fn a_locked_root_never_shows_its_own_bytes_as_the_whole() {
        let snapshot = |number: u64, state: &str, bytes: u64| {
            format!(
                r#"{{"snapshot":{{"number":{number},"at_ns":{number},"trigger":"peak","heap":null,"process":{{}},"profiler":{{"snapshot_ns":0}},"tensor_count":0,"devices":[],"roots":[{{"name":"statements","state":"{state}","held_ns":0,"total_bytes":{bytes},"heap_bytes":{bytes}}}]}}}}"#
            )
        };
        let read = |snapshots: &[String]| {
            let head = format!(
                "{{\"format\":\"memprof timeline\",\"version\":1,\"metadata\":{METADATA}}}\n"
            );
            Recording::from_text(&(head + &snapshots.join("\n") + "\n")).expect("it is complete")
        };
        let text = r#"{"at_ns":2,"trigger":"peak","snapshot":2,"live_bytes":96,"root_names":[],"rows":[]}"#;
        let moment: LiveStacks = serde_json::from_str(text).expect("it is complete");
        let shown = |recording: &Recording| {
            let [(root, from)] = recording.roots_at(&moment)[..] else { panic!("one root") };
            (from.number, root.shown_bytes(Units::Iec))
        };
        let (walked, locked) = (snapshot(1, "profiled", 90_000_000), snapshot(2, "locked", 152));
        let both = read(&[walked, locked.clone()]);
        assert_eq!(shown(&both), (1, Some("85.8 MiB".to_owned())), "the nearest walk");
        assert_eq!(shown(&read(&[locked])), (2, Some("≥ 152 B".to_owned())));
        let partial = read(&[snapshot(1, "profiled", 9), snapshot(2, "partial", 70_000)]);
        assert_eq!(shown(&partial), (2, Some("≥ 68.4 KiB".to_owned())));
    }
}
