//! A program without memprof's allocator: nothing is counted, and the errors state that.

use memprof_heap::exact::{ExactError, check_exact};
use memprof_heap::leak::{LeakError, LeakWatch, check_no_leak};
use memprof_heap::{Measured, NotRecorded, is_installed, measure};

#[test]
fn another_allocator_is_not_installed() {
    assert!(!is_installed());
}

#[test]
fn work_that_cannot_be_measured_does_not_run() {
    let mut ran = false;
    let error = measure(|| ran = true).expect_err("nothing counts");
    assert!(!ran);
    let shown = "memprof's allocator is not installed; add to the program or to the test file:\n\
                 #[global_allocator]\n\
                 static ALLOC: memprof::Allocator = memprof::Allocator::system();";
    assert_eq!(error.to_string(), shown);
    assert_eq!(format!("{error:?}"), shown);
    let error = check_exact(|| vec![1_u8]).expect_err("nothing counts");
    assert!(matches!(error, ExactError::NotInstalled(_)));
    assert_eq!(error.to_string(), shown);
}

#[test]
fn a_value_is_made_but_not_measured() {
    let text = Measured::new(|| String::from("made"));
    assert_eq!((text.as_str(), text.bytes()), ("made", None));
}

#[test]
#[should_panic(
    expected = "assert_exact!(vec![1_u8, 2]): memprof's allocator is not installed; add"
)]
fn assert_exact_names_the_static_to_add() {
    memprof_heap::assert_exact!(vec![1_u8, 2]);
}

#[test]
fn leaks_are_not_looked_for_where_nothing_counts() {
    let mut ran = false;
    let error = check_no_leak(10, || ran = true).expect_err("nothing counts");
    assert!(matches!(error, LeakError::NotInstalled(_)) && !ran);
    let watch = LeakWatch::start().map(drop);
    assert!(matches!(watch, Err(NotRecorded::NotInstalled(_))), "{watch:?}");
}

#[test]
#[should_panic(
    expected = "assert_no_leak!(|| vec![1_u8, 2]): memprof's allocator is not installed; add"
)]
fn assert_no_leak_names_the_static_to_add() {
    memprof_heap::assert_no_leak!(|| vec![1_u8, 2]);
}
