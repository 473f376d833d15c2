//! Functions that aren't `async`.

use crate::counted;
use std::fmt::Display;
use std::hint::black_box;

#[memprof::track]
fn a_hundred() -> Vec<u8> {
    Vec::with_capacity(100)
}

#[test]
fn a_function_is_an_operation_of_its_name() {
    drop(a_hundred());
    drop(a_hundred());
    let counted = counted("a_hundred");
    assert_eq!((counted.calls, counted.allocated_bytes, counted.freed_bytes), (2, 200, 0));
    assert_eq!(counted.max_net_bytes, 100);
    assert!(counted.file.ends_with("functions.rs"));
    assert_eq!(counted.line, 7);
}

#[memprof::track(name = "named otherwise")]
fn r#type() -> Vec<u8> {
    a_raw_one(b"text")
}

#[memprof::track]
fn r#match() -> Vec<u8> {
    vec![1]
}

#[memprof::track]
fn a_raw_one(bytes: &[u8]) -> Vec<u8> {
    bytes.to_vec()
}

#[test]
fn names_can_be_given_and_raw_identifiers_lose_their_prefix() {
    drop(r#type());
    drop(r#match());
    assert_eq!(counted("named otherwise;a_raw_one").allocated_bytes, 4);
    assert_eq!(counted("match").allocated_bytes, 1);
}

#[memprof::track]
fn early(stop: bool) -> Option<Vec<u8>> {
    #![allow(clippy::needless_return, reason = "that it returns is what matters")]
    let first: Option<Vec<u8>> = (!stop).then(|| vec![0; 10]);
    let mut all = first?;
    if all.len() == 10 {
        all.extend_from_slice(&[0; 20]);
        return Some(all);
    }
    None
}

#[test]
fn a_call_ends_on_every_exit_of_the_function() {
    assert!(early(true).is_none());
    assert!(early(false).is_some());
    let unwound = std::panic::catch_unwind(|| panics(3));
    assert!(unwound.is_err());
    assert_eq!(counted("early").calls, 2);
    assert_eq!(counted("early").net_bytes(), 30);
    assert_eq!(counted("panics").calls, 1);
}

#[memprof::track]
fn panics(at: usize) -> u8 {
    black_box([1, 2, 3])[at]
}

/// A function with lifetimes, constants, bounds, arrows and blocks before its body.
#[memprof::track]
#[expect(unsafe_code, unused_braces, reason = "functions of all kinds are tried")]
pub(crate) unsafe extern "Rust" fn generic<'a, T: Display, F, const N: usize>(
    value: &'a T,
    (make, _): (F, [u8; { 1 + 1 }]),
) -> (&'a T, [Vec<u8>; N])
where
    F: Fn(&T) -> Vec<u8> + Clone + 'a,
    [u8; N]: Sized,
{
    (value, std::array::from_fn(|_| make(value)))
}

#[test]
fn signatures_of_all_kinds_are_kept() {
    let of_length = |value: &u32| vec![0; *value as usize];
    #[expect(unsafe_code, reason = "to call it")]
    // SAFETY: it is unsafe in name only.
    let (value, lists) = unsafe { generic::<_, _, 3>(&8, (of_length, [0; 2])) };
    assert_eq!((*value, lists.len()), (8, 3));
    assert_eq!(counted("generic").net_bytes(), 24);
    assert_eq!(opaque(3, |byte| byte).map(|text| text.len()).sum::<usize>(), 3);
    assert_eq!(counted("opaque").calls, 1);
}

#[memprof::track]
fn opaque<F: Fn(u8) -> u8>(count: usize, _: F) -> impl Iterator<Item = String> {
    let texts: Vec<String> = (0..count).map(|number| number.to_string()).collect();
    texts.into_iter()
}

struct Rows(Vec<String>);

trait Load {
    fn load() -> Self;

    #[memprof::track]
    fn load_by_default() -> Self
    where
        Self: Sized,
    {
        Self::load()
    }
}

impl Rows {
    #[memprof::track]
    fn push(&mut self, row: &str) -> &mut String {
        self.0.push(row.to_owned());
        self.0.last_mut().expect("it was pushed")
    }

    #[memprof::track]
    fn first(&self) -> &str {
        &self.0[0]
    }
}

impl Load for Rows {
    #[memprof::track(name = "Rows::load")]
    fn load() -> Self {
        Self(Vec::with_capacity(1))
    }
}

#[test]
fn methods_borrow_what_they_borrowed() {
    let mut rows = Rows::load_by_default();
    rows.push("one").push('!');
    assert_eq!(rows.first(), "one!");
    assert_eq!(counted("load_by_default;Rows::load").net_bytes(), 24);
    assert_eq!(counted("push").net_bytes(), 3);
    assert_eq!(counted("first").calls, 1);
}

#[memprof::track]
fn recursive(depth: u32) -> Vec<u8> {
    let mut inner = if depth == 0 { Vec::new() } else { recursive(depth - 1) };
    inner.reserve_exact(10 * (depth as usize + 1));
    inner
}

#[test]
fn a_function_within_itself_is_one_operation() {
    drop(recursive(2));
    assert_eq!(counted("recursive").calls, 3);
    assert_eq!(counted("recursive").net_bytes(), 30);
}
