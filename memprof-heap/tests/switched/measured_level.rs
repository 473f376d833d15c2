//! A value is measured only while the level is above `Off`, and measuring never sets the level.

use crate::own_process::in_own_process;
use memprof::heap::{Level, Measured, level, set_level};
use memprof::tree::{Branch, OpaqueReason};
use memprof::{MemoryProfile, Profile};

fn make() -> Measured<Vec<u8>> {
    Measured::new(|| vec![0; 100])
}

#[derive(MemoryProfile)]
struct Buffers {
    early: Measured<Vec<u8>>,
    late: Measured<Vec<u8>>,
}

#[test]
fn the_size_is_unknown_while_nothing_is_counted() {
    in_own_process(|| {
        let early = make();
        assert_eq!((early.bytes(), level()), (None, Level::Off));
        set_level(Level::Counters);
        let mut late = make();
        assert_eq!(late.bytes(), Some(100));
        let stopped = Measured::new(|| {
            set_level(Level::Off);
            vec![0_u8; 100]
        });
        assert_eq!(stopped.bytes(), None);

        let buffers = Buffers { early, late: late.clone() };
        let profile = Profile::of(&buffers);
        let own = size_of::<Measured<Vec<u8>>>() as u64;
        assert_eq!(profile.bytes_at("early"), Some(own), "the unknown bytes are not there");
        let marks: Vec<_> = profile.root().subtree().flat_map(Branch::opaque).collect();
        assert_eq!(marks, [(OpaqueReason::NotMeasured, 1); 2]);
        late.update(|buffer| buffer.push(1));
        assert_eq!(late.bytes(), None);
        assert_eq!(level(), Level::Off);
    });
}
