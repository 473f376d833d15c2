//! The reader of profiles and recordings. The content of a file determines its format.

mod snapshot;
mod source;

pub(crate) use snapshot::{Part, unread};
pub(crate) use source::{Source, recording_path, recordings_in};

use crate::failure::Failure;
use memprof_export::Moment;
use memprof_profile::Profile;
use memprof_profile::text::WithCauses;
use memprof_profile::tree::Origin;
use memprof_recording::document::{LiveStacks, Snapshot};
use memprof_recording::{MissingNames, Recording, SymbolSearch, Symbolized};
use source::NO_RECORDINGS;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Write};
use std::path::Path;

const NO_RECORDING: &str =
    "this is a profile, not a recording; specify a `memory_profile_….json` or `.jsonl`";
const NO_MOMENT: &str = "this command reads a whole recording; remove `@` and what follows";
const NO_PART: &str = "this command reads a whole recording; remove `--root`";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Folded,
}

#[derive(Debug)]
pub(crate) enum Content {
    Profile(Box<Profile>, Format),
    Recording(Box<Recording>),
}

#[derive(Debug)]
pub(crate) struct Input {
    source: Source,
    pub(crate) content: Content,
    selector: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Picked {
    pub(crate) profile: Profile,
    /// The moment of the snapshot, if the profile is from a session.
    pub(crate) moment: Option<Moment>,
    /// The parts of the snapshot whose bytes are missing or are only a lower bound.
    pub(crate) unread: Vec<Part>,
    notes: Vec<String>,
}

/// The bytes at the start of a file that determine its format.
const HEAD_SIZE: u64 = 4096;

/// Prints the notes about the profile. With `root`, returns only that part of the snapshot.
pub(crate) fn profile(source: &Source, root: Option<&str>) -> Result<Profile, Failure> {
    Ok(picked(source, root)?.into_profile())
}

pub(crate) fn picked(source: &Source, root: Option<&str>) -> Result<Picked, Failure> {
    read(source)?.pick(root, None)
}

/// Two snapshots are compared with the live heap that no root holds. A profile is compared with
/// folded stacks by the names that these can have.
pub(crate) fn pair(
    before: Input,
    after: Input,
    root: Option<&str>,
) -> Result<(Picked, Picked), Failure> {
    let (mut was, mut is) = (None, None);
    if root.is_none()
        && let (Some(one), Some(other)) = (before.moment()?, after.moment()?)
    {
        let beside = |(recording, snapshot): (&Recording, &Snapshot), other: &Snapshot| {
            snapshot.profile_beside(other, &recording.metadata.program)
        };
        let about = |input: &Input, wrong| Failure::from(wrong).about(&input.source);
        was = Some(beside(one, other.1).map_err(|wrong| about(&before, wrong))?);
        is = Some(beside(other, one.1).map_err(|wrong| about(&after, wrong))?);
    }
    let mut both = [before.pick(root, was)?, after.pick(root, is)?];
    let [is_folded, other] = both.each_ref().map(|one| one.profile.origin() == Origin::Folded);
    if is_folded != other {
        for one in &mut both {
            one.profile = one.profile.with_frames();
        }
    }
    Ok(both.into())
}

pub(crate) fn recording(source: &Source) -> Result<Recording, Failure> {
    let input = read(source)?;
    match input.content {
        Content::Profile(..) => Err(Failure::of(source, NO_RECORDING)),
        Content::Recording(_) if input.selector.is_some() => Err(Failure::of(source, NO_MOMENT)),
        Content::Recording(recording) => {
            print_unreadable(source, &recording);
            Ok(*recording)
        }
    }
}

/// Reads all recordings in a folder, in the order of their names.
pub(crate) fn runs(folder: &Source) -> Result<Vec<Recording>, Failure> {
    const NOT_FOLDER: &str = "not a folder; `--runs` compares folders of recordings";
    let Source::File(path) = folder else { return Err(Failure::of(folder, NOT_FOLDER)) };
    if let Err(error) = fs::read_dir(path) {
        return Err(match error.kind() {
            io::ErrorKind::NotFound => {
                Failure::of(folder, "no such folder; `--runs` compares folders of recordings")
            }
            _ if path.is_file() => Failure::of(folder, NOT_FOLDER),
            _ => unreadable(&error).about(folder),
        });
    }
    let paths = recordings_in(path).into_iter().map(|name| recording_path(path, &name));
    let runs = paths.map(|path| recording(&Source::File(path))).collect::<Result<Vec<_>, _>>()?;
    if runs.is_empty() { Err(Failure::of(folder, NO_RECORDINGS)) } else { Ok(runs) }
}

pub(crate) fn whole(source: &Source, root: Option<&str>) -> Result<Recording, Failure> {
    match root {
        Some(_) => Err(Failure::of(source, NO_PART)),
        None => recording(source),
    }
}

/// Reads the recording of a file, names its addresses, and returns the result of `run` for the live
/// stacks of the named snapshot, or for `None` if none is named. Fails if `root` is set.
pub(crate) fn with_live_stacks<T>(
    source: &Source,
    root: Option<&str>,
    search: &SymbolSearch,
    run: impl FnOnce(&Recording, Option<&LiveStacks>) -> T,
) -> Result<T, Failure> {
    let input = read(source)?;
    let Content::Recording(mut recording) = input.content else {
        return Err(Failure::of(source, NO_RECORDING));
    };
    if root.is_some() {
        return Err(Failure::of(source, NO_PART));
    }
    print_unreadable(source, &recording);
    name(&mut recording, search);
    let Some(selector) = input.selector else { return Ok(run(&recording, None)) };
    let snapshot =
        snapshot::find(&recording, Some(&selector)).map_err(|failure| failure.about(source))?;
    let stacks = recording.live_stacks_at(&selector).ok_or_else(|| {
        let title = snapshot.title();
        let reason = format!(
            "{title} has no call stacks; choose a peak, a checkpoint, a request, the start or the end \
             of a recording at the level `sampled`"
        );
        Failure::of(source, reason)
    })?;
    Ok(run(&recording, Some(stacks)))
}

/// Prints on standard error the modules without names.
pub(crate) fn symbolized(source: &Source, search: &SymbolSearch) -> Result<Symbolized, Failure> {
    let source = &source.newest()?;
    let about = |failure: Failure| failure.about(source);
    let text = match source {
        Source::Standard => recording_text(io::stdin().lock()),
        Source::File(path) => open(path).and_then(recording_text),
    };
    let named = search.symbolize(&text.map_err(about)?).map_err(|wrong| about(wrong.into()))?;
    print_missing_names(&named.missing);
    Ok(named)
}

/// Returns the text of a recording. Fails for other content as the commands that read it do.
fn recording_text(mut bytes: impl Read) -> Result<String, Failure> {
    let (kind, head) = head(&mut bytes)?;
    let all = head.chain(bytes);
    match kind {
        Kind::Recording => text(all),
        Kind::Profile(format) => profile_of(all, format).and(Err(Failure::because(NO_RECORDING))),
    }
}

/// Prints on standard error the modules without names.
pub(crate) fn name(recording: &mut Recording, search: &SymbolSearch) {
    print_missing_names(&search.resolve(recording));
}

fn print_missing_names(missing: &[MissingNames]) {
    print_notes(missing.iter().map(ToString::to_string));
}

/// Reads all content of a file. The caller prints the notes about the file.
pub(crate) fn all(source: &Source) -> Result<Content, Failure> {
    let input = read(source)?;
    match input.selector {
        Some(_) => Err(Failure::of(source, NO_MOMENT)),
        None => Ok(input.content),
    }
}

/// Reads a file, or the newest recording of a folder, and splits off the word after the `@`.
pub(crate) fn read(source: &Source) -> Result<Input, Failure> {
    let source = source.newest()?;
    let (file, selector) = source.split();
    let content = match &file {
        Source::Standard => content(io::stdin().lock()),
        Source::File(path) => open(path).and_then(content),
    };
    let content = content.map_err(|failure| failure.about(&source))?;
    if selector.is_some() && matches!(content, Content::Profile(..)) {
        return Err(Failure::of(&source, NO_RECORDING));
    }
    let selector = selector.map(str::to_owned);
    Ok(Input { source, content, selector })
}

impl Input {
    /// Returns the profile of the file or of its selected snapshot. With `root`, returns only that
    /// part of the snapshot. `made` is the profile of the snapshot if it was already made.
    fn pick(self, root: Option<&str>, made: Option<Profile>) -> Result<Picked, Failure> {
        let source = &self.source;
        let about = |failure: Failure| failure.about(source);
        match self.content {
            Content::Profile(..) if root.is_some() => Err(Failure::of(source, NO_RECORDING)),
            Content::Profile(profile, _) => {
                let (unread, notes) = (Vec::new(), Vec::new());
                Ok(Picked { profile: *profile, moment: None, unread, notes })
            }
            Content::Recording(recording) => {
                let snapshot =
                    snapshot::find(&recording, self.selector.as_deref()).map_err(about)?;
                let profile = match made {
                    Some(made) if snapshot.has_profile() || snapshot.heap.is_some() => made,
                    _ => snapshot::profile(&recording, snapshot, root).map_err(about)?,
                };
                let missing = snapshot::missing(snapshot).filter(|_| root.is_none());
                let below = snapshot::below_peak(&recording, snapshot);
                let below = below.filter(|_| self.selector.as_deref() == Some("peak"));
                let notes = below.into_iter().chain(missing).chain(recording.unreadable());
                let notes = notes.map(|note| format!("{source}: {note}")).collect();
                let moment = Some(Moment::of(&recording.metadata, snapshot));
                let unread = unread(snapshot, root);
                Ok(Picked { profile, moment, unread, notes })
            }
        }
    }

    fn moment(&self) -> Result<Option<(&Recording, &Snapshot)>, Failure> {
        let Content::Recording(recording) = &self.content else { return Ok(None) };
        let snapshot = snapshot::find(recording, self.selector.as_deref());
        Ok(Some((recording, snapshot.map_err(|failure| failure.about(&self.source))?)))
    }

    /// Fails if `root` is set, because the result is about the whole program.
    pub(crate) fn whole_moment(
        &self,
        root: Option<&str>,
    ) -> Result<(&Recording, &Snapshot), Failure> {
        match self.moment()? {
            Some(_) if root.is_some() => Err(Failure::of(&self.source, NO_PART)),
            Some(moment) => Ok(moment),
            None => Err(Failure::of(&self.source, NO_RECORDING)),
        }
    }

    pub(crate) fn named_snapshot<'r>(
        &self,
        recording: &'r Recording,
    ) -> Result<Option<&'r Snapshot>, Failure> {
        let Some(selector) = &self.selector else { return Ok(None) };
        let snapshot = snapshot::find(recording, Some(selector));
        Ok(Some(snapshot.map_err(|failure| failure.about(&self.source))?))
    }
}

impl Picked {
    pub(crate) fn into_profile(self) -> Profile {
        print_notes(self.notes);
        self.profile
    }
}

pub(crate) fn print_unreadable(source: &Source, recording: &Recording) {
    print_notes(recording.unreadable().map(|note| format!("{source}: {note}")));
}

/// Ignores a failure, because there is no other place to report that standard error is closed.
fn print_notes(notes: impl IntoIterator<Item = String>) {
    for note in notes {
        let _ = writeln!(io::stderr(), "memprof: {note}");
    }
}

fn open(path: &Path) -> Result<File, Failure> {
    let open = || {
        let file = File::open(Recording::existing_path(path))?;
        // On Linux, opening a directory succeeds; only reading it fails.
        if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
    };
    open().map_err(|error| unreadable(&error))
}

fn unreadable(error: &io::Error) -> Failure {
    Failure::because(match error.kind() {
        io::ErrorKind::NotFound => {
            "no such file; write a profile with `Profile::write_json`, or a recording with \
             `memprof run`"
        }
        io::ErrorKind::PermissionDenied => "permission denied; check the file's permissions",
        _ => return Failure::because(format!("could not read the file: {error}")),
    })
}

fn content(mut bytes: impl Read) -> Result<Content, Failure> {
    let (kind, head) = head(&mut bytes)?;
    let all = head.chain(bytes);
    match kind {
        Kind::Profile(format) => Ok(Content::Profile(Box::new(profile_of(all, format)?), format)),
        Kind::Recording => {
            let recording = Recording::from_text(&text(all)?)?;
            Ok(Content::Recording(Box::new(recording)))
        }
    }
}

/// Reads the start of a file, and returns the kind of the file and the bytes that were read.
fn head(bytes: &mut impl Read) -> Result<(Kind, Cursor<Vec<u8>>), Failure> {
    let mut head = Vec::new();
    bytes.by_ref().take(HEAD_SIZE).read_to_end(&mut head).map_err(|error| unreadable(&error))?;
    // Some editors write a byte order mark at the start of a file.
    if head.starts_with(b"\xef\xbb\xbf") {
        head.drain(..3);
    }
    Ok((kind(&head)?, Cursor::new(head)))
}

fn profile_of(bytes: impl Read, format: Format) -> Result<Profile, Failure> {
    match format {
        Format::Json => Ok(Profile::read_json(bytes)?),
        Format::Folded => Profile::read_folded(bytes).map_err(|error| match error.line() {
            // If the first line is invalid, the file may not be folded stacks at all.
            Some(1) => {
                let error = WithCauses(&error);
                Failure::because(format!("neither a JSON profile nor folded stacks: {error}"))
            }
            _ => error.into(),
        }),
    }
}

fn text(mut bytes: impl Read) -> Result<String, Failure> {
    let mut text = Vec::new();
    bytes.read_to_end(&mut text).map_err(|error| unreadable(&error))?;
    // A program that was killed may have stopped in the middle of a character.
    Ok(String::from_utf8_lossy(&text).into_owned())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Profile(Format),
    /// The document (`.json`) or the timeline (`.jsonl`) of a session.
    Recording,
}

fn kind(head: &[u8]) -> Result<Kind, Failure> {
    let text = head.trim_ascii_start();
    if Recording::is_recording(&String::from_utf8_lossy(text)) {
        return Ok(Kind::Recording);
    }
    let Some((first, rest)) = text.split_first() else {
        return Err(Failure::because("the file is empty; expected a profile or a recording"));
    };
    // A frame may also begin with a brace or a bracket: `{closure};main 5`, `[unknown];main 5`.
    let next = rest.trim_ascii_start().first();
    let is_json = match first {
        b'{' => matches!(next, None | Some(b'"' | b'}')),
        b'[' => matches!(next, None | Some(b'"' | b'{' | b'[' | b']' | b'-' | b'0'..=b'9')),
        b'"' => true,
        _ => false,
    };
    // Reject binary data, such as archives and UTF-16, before the whole file is read. `/dev/zero` has
    // no end.
    if !is_json && text.contains(&0) {
        return Err(Failure::because("not a text file; if it is compressed, unpack it first"));
    }
    Ok(Kind::Profile(if is_json { Format::Json } else { Format::Folded }))
}

#[cfg(test)]
mod tests {
    use super::{Format, Kind, kind, unreadable};
    use std::io;

    #[test]
    fn the_first_bytes_determine_the_kind_of_a_file() {
        let cases: [(&str, Kind); 12] = [
            ("{\"format\": \"memprof session\", ", Kind::Recording),
            ("{ \"format\" :\"memprof timeline\",", Kind::Recording),
            ("{\"format\": \"memprof profile\"", Kind::Profile(Format::Json)),
            ("{\"format\": 1}", Kind::Profile(Format::Json)),
            (" \n{ \"format\"", Kind::Profile(Format::Json)),
            ("{", Kind::Profile(Format::Json)),
            ("[{}]", Kind::Profile(Format::Json)),
            ("[1]", Kind::Profile(Format::Json)),
            ("main;load 5", Kind::Profile(Format::Folded)),
            ("{closure};load 5", Kind::Profile(Format::Folded)),
            ("[unknown];load 5", Kind::Profile(Format::Folded)),
            ("# a comment\nmain 5", Kind::Profile(Format::Folded)),
        ];
        for (head, expected) in cases {
            assert_eq!(kind(head.as_bytes()).ok(), Some(expected), "{head}");
        }
        assert!(kind(b"").is_err() && kind(b" \n").is_err() && kind(b"\x1f\x8b\x08\0").is_err());
    }

    /// A test of the command would need a file that root may not read.
    #[test]
    fn a_file_without_read_permission_is_refused_in_one_line() {
        let failure = unreadable(&io::ErrorKind::PermissionDenied.into()).about("secret.json");
        let [line] = &failure.lines()[..] else { panic!("one line") };
        assert!(line.starts_with("secret.json: ") && line.contains("permission"), "{line}");
    }
}
