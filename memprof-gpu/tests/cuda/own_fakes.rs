//! The fakes themselves: each test has its own, and what is left out is not there.

use crate::fake::Fake;

#[test]
fn two_fakes_keep_books_of_their_own() {
    let [one, other] = [Fake::new("cuda", &[]), Fake::new("cuda", &[])];
    assert_ne!(one.path(), other.path());
    one.set("push context of device", 0);
    assert_eq!([one.get("contexts pushed"), other.get("contexts pushed")], [1, 0]);
}

#[test]
#[expect(unsafe_code, reason = "functions are looked for")]
fn a_function_that_is_left_out_is_not_there() {
    type Function = unsafe extern "system" fn();
    for (fake, expected) in
        [(Fake::new("cuda", &[]), true), (Fake::new("cuda", &["cuInit"]), false)]
    {
        // SAFETY: a fake runs nothing when it is loaded.
        let library = unsafe { libloading::Library::new(fake.path()) }.unwrap();
        // SAFETY: the function is not called.
        let found = unsafe { library.get::<Function>(b"cuInit\0") };
        assert_eq!(found.is_ok(), expected);
    }
}
