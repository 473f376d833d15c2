//! Profiles for the tests to read.

use memprof_profile::tree::{Device, LeafKind, OpaqueReason};
use memprof_profile::walk::{Position, Storage, Tensor, Walk};
use memprof_profile::{MemoryProfile, Profile};

/// Returns a model with arrays, a table of names and contents that could not be read.
pub(crate) fn model() -> Profile {
    struct Model;
    impl MemoryProfile for Model {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            let matrix = walk.entry(at, "matrix");
            let values = walk.entry(matrix, "values");
            walk.leaf(values, LeafKind::Data, 8_000_000);
            walk.count_values(values, 1_000_000);
            walk.count_allocations(values, 1);
            let rows = walk.entry(matrix, "row_ptr");
            walk.leaf(rows, LeafKind::Data, 400_000);
            walk.leaf(rows, LeafKind::Spare, 100_000);
            walk.count_allocations(rows, 1);
            let names = walk.entry(at, "names");
            walk.leaf(names, LeafKind::Data, 1_234_567);
            walk.leaf(names, LeafKind::Table, 65_552);
            walk.count_values(names, 60_000);
            walk.count_allocations(names, 60_001);
            let cache = walk.entry(at, "cache");
            walk.leaf(cache, LeafKind::Inline, 48);
            walk.opaque(cache, OpaqueReason::Locked);
        }

        /// Adds nothing for the value itself, so that the totals are the sums of the bytes above.
        fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            self.owned(walk, at);
        }
    }
    Profile::named("Model", &Model)
}

/// The same model some time later, as folded stacks.
pub(crate) const LATER: &str = "Model;cache 48\nModel;index 500000\nModel;matrix;row_ptr 500000\n\
                                Model;matrix;values 8800000\nModel;names 1200119\n";

/// Returns a profile with two tensors that share one storage, and with duplicate values.
pub(crate) fn everything() -> Profile {
    struct Net;
    impl MemoryProfile for Net {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            let storage = Storage { address: 4096, bytes: 1_048_576, handles: Some(3) };
            for name in ["embedding", "output"] {
                let tensor = Tensor::new(Device::Cuda(0), "f32", &[1024, 256], 1_048_576);
                let at = walk.entry(at, name);
                walk.tensor(at, &tensor.storage(storage));
            }
            let notes = walk.entry(at, "notes");
            walk.allocation(notes, 2000, 10_000);
            walk.count_allocations(notes, 1);
        }

        fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            self.owned(walk, at);
        }
    }
    let json = json(&Profile::named("Net", &Net));
    let twice = "\"allocations\":2,\"duplicates\":2,\"duplicate_bytes\":64";
    Profile::from_json(&json.replace("\"allocations\":2", twice)).expect("it adds up")
}

/// Returns a profile with one branch of that name.
pub(crate) fn named(name: &str) -> Profile {
    struct Named<'n>(&'n str);
    impl MemoryProfile for Named<'_> {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            let at = walk.entry(at, self.0);
            walk.leaf(at, LeafKind::Data, 1000);
        }

        fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            self.owned(walk, at);
        }
    }
    Profile::named(name, &Named(name))
}

pub(crate) fn json(profile: &Profile) -> String {
    profile.to_json().expect("it is not deep")
}
