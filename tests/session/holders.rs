//! Who keeps the shared memory of a root alive.

use crate::alone;
use crate::folder::Folder;
use crate::program::seldom;
use memprof::session::Recording;
use memprof::session::document::Snapshot;
use memprof::views::Units;
use memprof::{MemoryProfile, Profile};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const BLOCKS: u64 = 100;

#[derive(Default, MemoryProfile)]
struct App {
    cache: Vec<Arc<[u8; 1000]>>,
    map: HashMap<u64, Arc<[u8; 1000]>>,
    latest: Option<Arc<Vec<u8>>>,
}

fn root(snapshot: &Snapshot) -> Profile {
    snapshot.root("app").expect("it is registered").expect("its profile can be read")
}

#[test]
fn a_checkpoint_predicts_what_dropping_shared_memory_frees() {
    let _alone = alone();
    let folder = Folder::new();
    let builder = seldom(folder.path()).walk_budget(Duration::from_secs(5));
    let session = builder.start().expect("the folder can be written");
    let outside = Arc::new(vec![0; 50_000]);
    let app = Arc::new(Mutex::new(App::default()));
    {
        let mut app = app.lock().expect("nobody panics with it");
        app.latest = Some(outside.clone());
        for number in 0..BLOCKS {
            let block = Arc::new([0; 1000]);
            app.cache.push(block.clone());
            app.map.insert(number, block);
        }
    }
    session.root("app", app.clone());
    session.checkpoint("loaded");

    let live = || memprof::heap::totals().expect("it counts").program_bytes();
    let before = live();
    {
        let mut app = app.lock().expect("nobody panics with it");
        app.cache.clear();
        app.map.clear();
        app.latest = None;
    }
    let freed = u64::try_from(before - live()).expect("it is freed");

    let document = session.finish().expect("the file can be written");
    let recording = Recording::read_file(document.path().expect("it is enabled"));
    let recording = recording.expect("it is complete");
    let loaded = recording.snapshot("loaded").expect("it is the checkpoint");
    let profile = root(loaded);
    let [blocks, latest] = profile.holders().expect("a checkpoint has them") else {
        panic!("{:?}", profile.holders())
    };
    assert_eq!((blocks.dominator.as_deref(), blocks.freed_bytes), (Some("app"), Some(freed)));
    let handles = [("app;cache".to_owned(), BLOCKS), ("app;map".to_owned(), BLOCKS)];
    assert_eq!((blocks.allocations, &blocks.handles[..]), (BLOCKS, &handles[..]));
    assert_eq!((latest.freed_bytes, latest.unmet_handles), (None, Some(1)), "it is held outside");

    let end = root(recording.snapshot("end").expect("it is complete"));
    assert_eq!(end.holders(), Some(&[][..]), "nothing is shared at the end");
    let all = loaded.profile("program").expect("it can be read").report().to_string();
    assert!(all.contains("dropping program;app frees"), "{all}");
    let overview = recording.overview().at(loaded).width(400).to_string();
    for (_, line) in profile.holder_lines(Units::Iec) {
        assert!(overview.contains(&line), "{line} is not in\n{overview}");
    }
    assert!(!recording.overview().to_string().contains("keeps shared memory"));
}
