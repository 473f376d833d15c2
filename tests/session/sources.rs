//! What other sources tell, in snapshots; a source that can't tell, or panics, costs itself.

use crate::alone;
use crate::folder::Folder;
use crate::program::{end, seldom};
use memprof::{Profile, Source};
use std::error::Error;

/// A source that says what it was told to.
struct Says(&'static str);

impl Source for Says {
    fn name(&self) -> &str {
        self.0
    }

    fn read(&mut self) -> Result<Profile, Box<dyn Error + Send + Sync>> {
        match self.0 {
            "card" => Ok(Profile::from_folded("card;used 3000\ncard;free 1000\n")?),
            "lost" => Err("the device is lost".into()),
            _ => panic!("it was told to"),
        }
    }
}

#[test]
fn each_source_says_what_it_holds_or_why_not() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    for name in ["card", "lost", "broken"] {
        session.source(Says(name));
    }
    session.checkpoint("with sources");
    end(session);
    let report = folder.report();
    let snapshot = report.snapshot("with sources").expect("it was taken");
    let [card, lost, broken] = &snapshot.sources[..] else { panic!("three sources") };
    let profile = card.profile().expect("it tells").expect("it is a profile");
    assert_eq!((card.name.as_str(), profile.total_bytes()), ("card", 4000));
    assert_eq!(lost.error.as_deref(), Some("the device is lost"));
    assert_eq!(broken.error.as_deref(), Some("reading it panicked"));
    assert!(lost.profile().is_none() && broken.profile().is_none());
}
