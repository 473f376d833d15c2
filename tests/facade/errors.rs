//! `main` and `unwrap` print an error through `Debug`. It prints the error's text, not the name of
//! a variant.

use memprof::Profile;
use memprof::export::{Page, perfetto};
use memprof::gpu::{NvmlSampler, Unavailable, cuda::CudaError};
use memprof::heap::{self, exact, leak};
use memprof::pool::{AddressSpace, CachingPool, DeallocationError, MemoryResource, Request};
use memprof::session::{Recording, StartError};
use memprof::testing::Budget;
use std::error::Error;
use std::io::{self, Write};

/// Asserts that `Debug` writes the text of the error and of its causes.
#[track_caller]
fn assert_shown(error: &impl Error) {
    let mut text = error.to_string();
    if error.source().is_some() {
        text += " (";
    }
    for shown in [format!("{error:?}"), format!("{error:#?}")] {
        assert!(shown.starts_with(&text), "{shown} does not begin with {text}");
        assert!(error.source().is_some() || shown == text, "{shown}");
    }
}

#[track_caller]
fn assert_error_shown<T>(result: Result<T, impl Error>) {
    assert_shown(&result.err().expect("the call fails"));
}

/// A file on a full disk.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn debug_of_profile_errors_is_their_text() {
    let profile = Profile::of(&vec![1_u8; 100]);
    assert_error_shown("2 GB/s".parse::<Budget>());
    assert_error_shown(profile.check_budget(Budget::of_bytes(1), &[]));
    assert_error_shown(profile.try_bytes_at("nothing"));
    assert_error_shown(Profile::from_folded("no number\n"));
    assert_error_shown(Profile::from_json("{}"));
    assert_error_shown("x".parse::<memprof::tree::Role>());
}

#[test]
fn debug_of_heap_errors_is_their_text() {
    // The allocator of this program is the system's.
    assert_error_shown(heap::totals());
    assert_error_shown(heap::measure(|| ()));
    assert_error_shown(exact::check_exact(|| 1_u8));
    assert_error_shown(exact::check_layouts());
    assert_error_shown(leak::check_no_leak(1, || ()));
}

#[test]
fn debug_of_session_and_export_errors_is_their_text() {
    assert_shown(&StartError::AlreadyRunning);
    assert_error_shown(Recording::from_text(""));
    let recording =
        Recording::read_file("tests/data/recordings/source_index.json").expect("it is whole");
    assert_error_shown(Page::new(&recording).write(Full));
    assert_error_shown(perfetto::write(&recording, Full));
}

#[test]
fn debug_of_gpu_and_pool_errors_is_their_text() {
    assert_error_shown(NvmlSampler::open_at("/nowhere/libnvidia-ml.so.1"));
    assert_shown(&CudaError::NoDevice);
    assert_shown(&Unavailable::Lost);
    let space = AddressSpace::new().with_capacity(1);
    assert_shown(&DeallocationError::Twice(AddressSpace::new().allocate(Request::new(1)).unwrap()));
    assert_error_shown(space.allocate(Request::new(2)));
    assert_error_shown(CachingPool::builder(space).limit("2 GB/s").build());
}
