//! The reader of profiles and recordings. The content of a file determines its format.

mod error;
pub(crate) mod folder;
mod format;
mod snapshot;
mod source;

pub(crate) use error::InputError;
pub(crate) use format::Format;
pub(crate) use snapshot::Part;
pub(crate) use source::Source;

use error::Problem;
use format::Kind;
use memprof_export::Moment;
use memprof_profile::Profile;
use memprof_recording::document::{LiveStacks, Snapshot};
use memprof_recording::{MissingNames, Recording, SymbolSearch, Symbolized};
use std::fs::File;
use std::io::{self, Cursor, Read, Write};
use std::path::Path;

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
    /// The parts of the snapshot whose bytes are missing or are only a lower end.
    pub(crate) unread: Vec<Part>,
    notes: Vec<String>,
}

/// The bytes at the start of a file that determine its format.
const HEAD_SIZE: u64 = 4096;

/// Reads the profile of a file, or of one of its snapshots, and prints the notes about it. With
/// `root`, returns only that part of the snapshot.
pub(crate) fn profile(source: &Source, root: Option<&str>) -> Result<Profile, InputError> {
    Ok(picked(source, root)?.into_profile())
}

pub(crate) fn picked(source: &Source, root: Option<&str>) -> Result<Picked, InputError> {
    read(source)?.pick(root, None)
}

/// Two snapshots are compared with the live heap that no root holds.
pub(crate) fn pair(
    before: Input,
    after: Input,
    root: Option<&str>,
) -> Result<(Picked, Picked), InputError> {
    let (mut was, mut is) = (None, None);
    if root.is_none()
        && let (Some(one), Some(other)) = (before.moment()?, after.moment()?)
    {
        let beside = |(recording, snapshot): (&Recording, &Snapshot), other: &Snapshot| {
            snapshot.profile_beside(other, &recording.metadata.program)
        };
        was = Some(beside(one, other.1).map_err(|wrong| before.error(wrong.into()))?);
        is = Some(beside(other, one.1).map_err(|wrong| after.error(wrong.into()))?);
    }
    Ok((before.pick(root, was)?, after.pick(root, is)?))
}

pub(crate) fn recording(source: &Source) -> Result<Recording, InputError> {
    let input = read(source)?;
    match input.content {
        Content::Profile(..) => Err(InputError::new(source, Problem::NoRecording)),
        Content::Recording(_) if input.selector.is_some() => {
            Err(InputError::new(source, Problem::NoMoment))
        }
        Content::Recording(recording) => {
            print_unreadable(source, &recording);
            Ok(*recording)
        }
    }
}

/// Reads all recordings in a folder, in the order of their names.
pub(crate) fn runs(folder: &Source) -> Result<Vec<Recording>, InputError> {
    let Source::File(path) = folder else {
        return Err(InputError::new(folder, Problem::NotFolder));
    };
    folder::check(path).map_err(|problem| InputError::new(folder, problem))?;
    let paths = folder::names(path).into_iter().map(|name| folder::path(path, &name));
    let runs = paths.map(|path| recording(&Source::File(path))).collect::<Result<Vec<_>, _>>()?;
    if runs.is_empty() { Err(InputError::new(folder, Problem::NoRecordings)) } else { Ok(runs) }
}

pub(crate) fn unread(snapshot: &Snapshot) -> Vec<Part> {
    snapshot::unread(snapshot, None)
}

pub(crate) fn whole(source: &Source, root: Option<&str>) -> Result<Recording, InputError> {
    match root {
        Some(_) => Err(InputError::new(source, Problem::NoPart)),
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
) -> Result<T, InputError> {
    let error = |problem| InputError::new(source, problem);
    let input = read(source)?;
    let Content::Recording(mut recording) = input.content else {
        return Err(error(Problem::NoRecording));
    };
    if root.is_some() {
        return Err(error(Problem::NoPart));
    }
    print_unreadable(source, &recording);
    name(&mut recording, search);
    let Some(selector) = input.selector else { return Ok(run(&recording, None)) };
    let snapshot = snapshot::find(&recording, Some(&selector)).map_err(error)?;
    let stacks = recording.live_stacks_at(&selector);
    let stacks = stacks.ok_or_else(|| error(Problem::NoStacks { snapshot: snapshot.title() }))?;
    Ok(run(&recording, Some(stacks)))
}

/// Reads the text of a recording, and adds the names of its addresses. Prints on standard error the
/// modules without names.
pub(crate) fn symbolized(source: &Source, search: &SymbolSearch) -> Result<Symbolized, InputError> {
    let source = &source.newest()?;
    let error = |problem| InputError::new(source, problem);
    let text = match source {
        Source::Standard => recording_text(io::stdin().lock()),
        Source::File(path) => open(path).map_err(Problem::Io).and_then(recording_text),
    };
    let named = search.symbolize(&text.map_err(error)?).map_err(|wrong| error(wrong.into()))?;
    print_missing_names(&named.missing);
    Ok(named)
}

/// Returns the text of a recording. Fails for other content as the commands that read it do.
fn recording_text(mut bytes: impl Read) -> Result<String, Problem> {
    let (kind, head) = head(&mut bytes)?;
    let all = head.chain(bytes);
    match kind {
        Kind::Recording => text(all),
        Kind::Profile(format) => profile_of(all, format).and(Err(Problem::NoRecording)),
    }
}

/// Names the addresses of a recording, and prints on standard error the modules without names.
pub(crate) fn name(recording: &mut Recording, search: &SymbolSearch) {
    print_missing_names(&search.resolve(recording));
}

fn print_missing_names(missing: &[MissingNames]) {
    print_notes(missing.iter().map(ToString::to_string));
}

/// Reads all content of a file. The caller prints the notes about the file.
pub(crate) fn all(source: &Source) -> Result<Content, InputError> {
    let input = read(source)?;
    match input.selector {
        Some(_) => Err(InputError::new(source, Problem::NoMoment)),
        None => Ok(input.content),
    }
}

/// Reads a file, or the newest recording of a folder, and splits off the word after the `@`.
pub(crate) fn read(source: &Source) -> Result<Input, InputError> {
    let source = source.newest()?;
    let error = |problem| InputError::new(&source, problem);
    let (file, selector) = source.split();
    let content = match &file {
        Source::Standard => content(io::stdin().lock()),
        Source::File(path) => open(path).map_err(Problem::Io).and_then(content),
    };
    let content = content.map_err(error)?;
    if selector.is_some() && matches!(content, Content::Profile(..)) {
        return Err(error(Problem::NoRecording));
    }
    let selector = selector.map(str::to_owned);
    Ok(Input { source, content, selector })
}

impl Input {
    /// Returns the profile of the file or of its selected snapshot. With `root`, returns only that
    /// part of the snapshot. `made` is the profile of the snapshot if it was already made.
    fn pick(self, root: Option<&str>, made: Option<Profile>) -> Result<Picked, InputError> {
        let source = &self.source;
        let error = |problem| InputError::new(source, problem);
        match self.content {
            Content::Profile(..) if root.is_some() => Err(error(Problem::NoRecording)),
            Content::Profile(profile, _) => {
                let (unread, notes) = (Vec::new(), Vec::new());
                Ok(Picked { profile: *profile, moment: None, unread, notes })
            }
            Content::Recording(recording) => {
                let snapshot =
                    snapshot::find(&recording, self.selector.as_deref()).map_err(error)?;
                let profile = match made {
                    Some(made) if snapshot.has_profile() || snapshot.heap.is_some() => made,
                    _ => snapshot::profile(&recording, snapshot, root).map_err(error)?,
                };
                let missing = snapshot::missing(snapshot).filter(|_| root.is_none());
                let below = snapshot::below_peak(&recording, snapshot);
                let below = below.filter(|_| self.selector.as_deref() == Some("peak"));
                let notes = below.into_iter().chain(missing).chain(recording.unreadable());
                let notes = notes.map(|note| format!("{source}: {note}")).collect();
                let moment = Some(Moment::of(&recording.metadata, snapshot));
                let unread = snapshot::unread(snapshot, root);
                Ok(Picked { profile, moment, unread, notes })
            }
        }
    }

    fn moment(&self) -> Result<Option<(&Recording, &Snapshot)>, InputError> {
        let Content::Recording(recording) = &self.content else { return Ok(None) };
        let snapshot = snapshot::find(recording, self.selector.as_deref());
        Ok(Some((recording, snapshot.map_err(|problem| self.error(problem))?)))
    }

    /// Fails if `root` is set, because the result is about the whole program.
    pub(crate) fn whole_moment(
        &self,
        root: Option<&str>,
    ) -> Result<(&Recording, &Snapshot), InputError> {
        match self.moment()? {
            Some(_) if root.is_some() => Err(self.error(Problem::NoPart)),
            Some(moment) => Ok(moment),
            None => Err(self.error(Problem::NoRecording)),
        }
    }

    fn error(&self, problem: Problem) -> InputError {
        InputError::new(&self.source, problem)
    }

    pub(crate) fn named_snapshot<'r>(
        &self,
        recording: &'r Recording,
    ) -> Result<Option<&'r Snapshot>, InputError> {
        let Some(selector) = &self.selector else { return Ok(None) };
        snapshot::find(recording, Some(selector)).map(Some).map_err(|problem| self.error(problem))
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

fn open(path: &Path) -> io::Result<File> {
    let file = File::open(Recording::existing_path(path))?;
    // On Linux, opening a directory succeeds; only reading it fails.
    if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
}

fn content(mut bytes: impl Read) -> Result<Content, Problem> {
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
fn head(bytes: &mut impl Read) -> Result<(Kind, Cursor<Vec<u8>>), Problem> {
    let mut head = Vec::new();
    bytes.by_ref().take(HEAD_SIZE).read_to_end(&mut head).map_err(Problem::Io)?;
    // Some editors write a byte order mark at the start of a file.
    if head.starts_with(b"\xef\xbb\xbf") {
        head.drain(..3);
    }
    Ok((format::kind(&head)?, Cursor::new(head)))
}

fn profile_of(bytes: impl Read, format: Format) -> Result<Profile, Problem> {
    match format {
        Format::Json => Ok(Profile::read_json(bytes)?),
        Format::Folded => Ok(Profile::read_folded(bytes)?),
    }
}

fn text(mut bytes: impl Read) -> Result<String, Problem> {
    let mut text = Vec::new();
    bytes.read_to_end(&mut text).map_err(Problem::Io)?;
    // A program that was killed may have stopped in the middle of a character.
    Ok(String::from_utf8_lossy(&text).into_owned())
}
