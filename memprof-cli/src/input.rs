//! Profiles and recordings from files: what a file is, its content tells.

mod error;
mod format;
mod snapshot;
mod source;

pub(crate) use error::InputError;
pub(crate) use format::Format;
pub(crate) use source::Source;

use error::What;
use format::Kind;
use memprof_export::Moment;
use memprof_profile::Profile;
use memprof_session::Recording;
use memprof_session::document::Snapshot;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// What a file holds.
#[derive(Debug)]
pub(crate) enum Content {
    /// A profile, and what it was written as.
    Profile(Box<Profile>, Format),
    /// What a session wrote.
    Recording(Box<Recording>),
}

/// What was read, and the word after the `@` behind the file's name.
#[derive(Debug)]
pub(crate) struct Input<'s> {
    source: &'s Source,
    pub(crate) content: Content,
    word: Option<&'s str>,
}

/// A profile, and what is said about it on standard error.
#[derive(Debug)]
pub(crate) struct Picked {
    pub(crate) profile: Profile,
    /// Of which moment it is, if it is of a session.
    pub(crate) moment: Option<Moment>,
    notes: Vec<String>,
}

/// So much of a file is looked at to tell what it is.
const HEAD: u64 = 4096;

/// The profile that a file holds, or that of a snapshot in it; of `root`, if that is set.
pub(crate) fn profile(source: &Source, root: Option<&str>) -> Result<Profile, InputError> {
    Ok(picked(source, root)?.told())
}

/// The same; what is to be said about it is still to be said.
pub(crate) fn picked(source: &Source, root: Option<&str>) -> Result<Picked, InputError> {
    let wrong = |what| InputError::new(source, what);
    let input = read(source)?;
    match input.content {
        Content::Profile(..) if root.is_some() => Err(wrong(What::NoRecording)),
        Content::Profile(profile, _) => {
            Ok(Picked { profile: *profile, moment: None, notes: Vec::new() })
        }
        Content::Recording(recording) => {
            let snapshot = snapshot::find(&recording, input.word).map_err(wrong)?;
            let profile = snapshot::profile(&recording, snapshot, root).map_err(wrong)?;
            let missing = snapshot::missing(snapshot).filter(|_| root.is_none());
            let notes = missing.into_iter().chain(recording.unreadable());
            let notes = notes.map(|note| format!("{source}: {note}")).collect();
            let moment = Some(Moment::of(&recording.metadata, snapshot));
            Ok(Picked { profile, moment, notes })
        }
    }
}

/// The recording that a file holds.
pub(crate) fn recording(source: &Source) -> Result<Recording, InputError> {
    let input = read(source)?;
    match input.content {
        Content::Profile(..) => Err(InputError::new(source, What::NoRecording)),
        Content::Recording(_) if input.word.is_some() => {
            Err(InputError::new(source, What::NoMoment))
        }
        Content::Recording(recording) => {
            tell_unreadable(source, &recording);
            Ok(*recording)
        }
    }
}

/// The recording that a file holds, for what is told of all of it: of no one root.
pub(crate) fn whole(source: &Source, root: Option<&str>) -> Result<Recording, InputError> {
    match root {
        Some(_) => Err(InputError::new(source, What::NoPart)),
        None => recording(source),
    }
}

/// What is to be said of the snapshot that is named, or else of the last, where no root of it can
/// be had.
pub(crate) fn with_snapshot<T>(
    source: &Source,
    root: Option<&str>,
    say: impl FnOnce(&Recording, &Snapshot) -> T,
) -> Result<T, InputError> {
    let wrong = |what| InputError::new(source, what);
    let input = read(source)?;
    match &input.content {
        Content::Profile(..) => Err(wrong(What::NoRecording)),
        Content::Recording(_) if root.is_some() => Err(wrong(What::NoPart)),
        Content::Recording(recording) => {
            let snapshot = snapshot::find(recording, input.word).map_err(wrong)?;
            Ok(say(recording, snapshot))
        }
    }
}

/// All that a file holds; what is to be said of it, whoever shows it says.
pub(crate) fn all(source: &Source) -> Result<Content, InputError> {
    let input = read(source)?;
    match input.word {
        Some(_) => Err(InputError::new(source, What::NoMoment)),
        None => Ok(input.content),
    }
}

/// What a file holds.
pub(crate) fn read(source: &Source) -> Result<Input<'_>, InputError> {
    let wrong = |what| InputError::new(source, what);
    let (place, word) = source.split();
    let content = match place {
        Source::Standard => content(io::stdin().lock()),
        Source::File(path) => open(&path).map_err(What::Io).and_then(content),
    };
    let content = content.map_err(wrong)?;
    if word.is_some() && matches!(content, Content::Profile(..)) {
        return Err(wrong(What::NoRecording));
    }
    Ok(Input { source, content, word })
}

impl Input<'_> {
    /// The snapshot that the command line names, if it names one.
    pub(crate) fn named_snapshot<'r>(
        &self,
        recording: &'r Recording,
    ) -> Result<Option<&'r Snapshot>, InputError> {
        let Some(word) = self.word else { return Ok(None) };
        let found = snapshot::find(recording, Some(word));
        found.map(Some).map_err(|what| InputError::new(self.source, what))
    }

    /// Says on standard error what is not in a recording's snapshot, and what of it was not read.
    pub(crate) fn tell_missing(&self, recording: &Recording, snapshot: Option<&Snapshot>) {
        let notes = snapshot.and_then(snapshot::missing).into_iter().chain(recording.unreadable());
        tell(notes.map(|note| format!("{}: {note}", self.source)));
    }
}

impl Picked {
    /// The profile, after what is to be said about it was.
    pub(crate) fn told(self) -> Profile {
        tell(self.notes);
        self.profile
    }
}

/// Says what of a recording could not be read.
pub(crate) fn tell_unreadable(source: &Source, recording: &Recording) {
    tell(recording.unreadable().map(|note| format!("{source}: {note}")));
}

/// Notes on standard error. Nobody is left to tell that it is closed.
fn tell(notes: impl IntoIterator<Item = String>) {
    for note in notes {
        let _ = writeln!(io::stderr(), "memprof: {note}");
    }
}

fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    // Opening a directory succeeds on Linux; only reading it does not.
    if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
}

fn content(mut bytes: impl Read) -> Result<Content, What> {
    let mut head = Vec::new();
    bytes.by_ref().take(HEAD).read_to_end(&mut head).map_err(What::Io)?;
    // Some editors begin a text with a mark of its encoding.
    let mark = if head.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let kind = format::kind(&head[mark..])?;
    let mut all = head[mark..].chain(bytes);
    let profile = |profile, format| Content::Profile(Box::new(profile), format);
    match kind {
        Kind::Profile(Format::Json) => Ok(profile(Profile::read_json(all)?, Format::Json)),
        Kind::Profile(Format::Folded) => Ok(profile(Profile::read_folded(all)?, Format::Folded)),
        Kind::Recording => {
            let mut text = Vec::new();
            all.read_to_end(&mut text).map_err(What::Io)?;
            // Whoever was killed may have been in the middle of a character.
            let recording = Recording::from_text(&String::from_utf8_lossy(&text))?;
            Ok(Content::Recording(Box::new(recording)))
        }
    }
}
