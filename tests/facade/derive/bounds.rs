//! `#[profile(bound = "…")]` replaces the inferred bounds.

use super::check;
use expect_test::expect;
use memprof::walk::{Position, Walk};
use memprof::{MemoryProfile, total_bytes};

#[test]
fn a_written_bound_replaces_the_inferred_ones() {
    trait Store {
        fn bytes(&self) -> usize;
    }
    struct Disk;
    impl Store for Disk {
        fn bytes(&self) -> usize {
            77
        }
    }
    fn profile_store<'a, S: Store>(store: &'a S, walk: &mut Walk<'a>, at: Position) {
        walk.allocation(at, store.bytes(), store.bytes());
    }
    #[derive(MemoryProfile)]
    #[profile(bound = "S: Store")]
    struct Cache<S> {
        #[profile(with = profile_store)]
        store: S,
        names: Vec<String>,
    }
    check(
        &Cache { store: Disk, names: vec![String::from("n")] },
        &expect![[r#"
        Cache;names 49
        Cache;store 77
    "#]],
    );
}

#[test]
fn an_empty_bound_removes_the_inferred_ones() {
    struct NoImpl;
    struct Handle<T>(fn(T));
    impl<T> MemoryProfile for Handle<T> {
        fn owned<'a>(&'a self, _: &mut Walk<'a>, _: Position) {}
    }
    #[derive(MemoryProfile)]
    #[profile(bound = "")]
    struct Handles<T> {
        one: Handle<T>,
        two: Handle<T>,
    }
    let handles = Handles::<NoImpl> { one: Handle(drop), two: Handle(drop) };
    (handles.one.0)(NoImpl);
    (handles.two.0)(NoImpl);
    assert_eq!(total_bytes(&handles), 16);
}
