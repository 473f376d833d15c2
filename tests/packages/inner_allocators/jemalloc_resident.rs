//! A session splits the resident memory of a program whose allocator is jemalloc.

use memprof::Session;
use memprof::session::Recording;
use memprof::session::document::PartKind;
use tikv_jemallocator::Jemalloc;

#[global_allocator]
static ALLOC: memprof::Allocator<Jemalloc> = memprof::Allocator::new(Jemalloc);

const MIB: i64 = 1 << 20;

#[test]
fn memory_that_jemalloc_keeps_is_its_free_memory() {
    let folder = std::env::temp_dir().join(format!("memprof-jemalloc-{}", std::process::id()));
    let session = Session::builder().enabled(true).output_dir(&folder).start().unwrap();
    let mut blocks: Vec<_> = (0..1024).map(|_| vec![1_u8; 128 << 10]).collect();
    // Every other block, so that the free memory stays between used memory.
    let mut index = 0;
    blocks.retain(|_| {
        index += 1;
        index % 2 == 0
    });
    println!("{}", session.finish().unwrap());
    let files = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
    let file = files.into_iter().find(|path| path.extension().is_some_and(|end| end == "json"));
    let recording = Recording::read_file(file.unwrap()).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let last = recording.snapshots.last().unwrap();
    let resident = last.resident.as_deref().expect("a full reading");
    println!("{resident:#?}");
    let expected = 64 * MIB;
    for kind in [PartKind::LiveHeap, PartKind::AllocatorFree] {
        let bytes = resident.bytes(&[kind]).expect("it is known");
        // jemalloc pads large blocks by a page, and its tables are not live either.
        assert!((bytes - expected).abs() <= expected / 8, "{kind}: {bytes}");
    }
}
