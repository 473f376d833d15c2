//! `shareable`: finds equal values that are not shared, and changes nothing else.

use memprof::report::SharingAnalysis;
use memprof::{MemoryProfile, Profile};
use std::sync::Arc;

#[derive(Clone, Hash, MemoryProfile)]
#[profile(shareable)]
struct Unit {
    symbol: String,
    powers: [i8; 7],
}

/// The fields of `Unit` in a type without the attribute.
#[expect(dead_code, reason = "only its memory matters")]
#[derive(Clone, MemoryProfile)]
struct Plain {
    symbol: String,
    powers: [i8; 7],
}

const OWN: u64 = size_of::<Unit>() as u64;

fn unit(symbol: &str) -> Unit {
    Unit { symbol: symbol.into(), powers: [1; 7] }
}

fn sharing<T: MemoryProfile>(value: &T) -> SharingAnalysis {
    let profile = Profile::of(value);
    assert!(profile.is_exact());
    profile.sharing()
}

fn duplicates<T: MemoryProfile>(value: &T) -> (u64, u64) {
    let sharing = sharing(value);
    assert_eq!(sharing.bytes - sharing.bytes_if_all_shared, sharing.duplicate_bytes);
    (sharing.duplicates, sharing.duplicate_bytes)
}

#[test]
fn equal_values_are_counted_after_the_first() {
    assert_eq!(duplicates(&vec![unit("m"), unit("s"), unit("m"), unit("m")]), (2, 2 * (OWN + 1)));
    assert_eq!(duplicates(&[unit("m"), unit("s")]), (0, 0));
    assert_eq!(duplicates(&(Box::new(unit("kWh")), [unit("kWh")])), (1, OWN + 3));
}

#[test]
fn a_value_that_is_shared_is_not_its_own_duplicate() {
    let one = Arc::new(unit("m"));
    assert_eq!(duplicates(&vec![one.clone(); 10]), (0, 0));
    let other = Arc::new(unit("m"));
    let handles = [one.clone(), other.clone(), one.clone(), other.clone()];
    assert_eq!(duplicates(&handles), (1, OWN + 1));
}

#[test]
fn capacity_belongs_to_the_duplicate_that_has_it() {
    let mut roomy = unit("m");
    roomy.symbol.reserve_exact(99);
    assert_eq!(duplicates(&[unit("m"), roomy]), (1, OWN + 100));
}

#[test]
fn nothing_else_changes() {
    let plain = |unit: Unit| Plain { symbol: unit.symbol, powers: unit.powers };
    let marked: Vec<Arc<Unit>> = vec![Arc::new(unit("m")), Arc::new(unit("m"))];
    let marked = [marked.clone(), marked].concat();
    let bare: Vec<Arc<Plain>> = vec![Arc::new(plain(unit("m"))), Arc::new(plain(unit("m")))];
    let bare = [bare.clone(), bare].concat();
    let (marked, bare) = (Profile::named("x", &marked), Profile::named("x", &bare));
    assert_eq!(marked.to_folded_detailed(), bare.to_folded_detailed());
    assert_eq!(marked.shared(), bare.shared());
    assert_eq!(marked.shared().allocations, 2);
}

#[test]
fn nested_values_are_counted_at_their_own_path() {
    #[derive(Hash, MemoryProfile)]
    #[profile(shareable)]
    enum Style {
        Plain,
        Nested(Vec<Style>),
    }
    let style = || Style::Nested(vec![Style::Plain, Style::Plain]);
    let own = size_of::<Style>() as u64;
    let profile = Profile::named("styles", &[style(), style()]);
    let (inner, outer) = (3 * own, own + 2 * own);
    let of = |path: &str| {
        let branches = profile.root().subtree();
        branches.filter(|branch| branch.name() == path).map(memprof::tree::Branch::counts).last()
    };
    // The four plain styles are equal, so three are duplicates. The second nested style repeats the
    // first, and owns only a buffer.
    let nested = of("Nested").unwrap();
    assert_eq!((nested.duplicates, nested.duplicate_bytes), (3, inner));
    let root = of("styles").unwrap();
    assert_eq!((root.duplicates, root.duplicate_bytes), (1, outer));
}

#[test]
fn flat_types_enums_and_newtypes_can_be_marked() {
    #[derive(Hash, MemoryProfile)]
    #[profile(shareable)]
    struct Flat(u64, u32);
    #[derive(Hash, MemoryProfile)]
    #[profile(shareable)]
    struct Name(String);
    #[derive(Hash, MemoryProfile)]
    #[profile(shareable)]
    struct Empty;
    assert_eq!(duplicates(&[Flat(1, 2), Flat(1, 2), Flat(2, 1)]), (1, 16));
    assert_eq!(duplicates(&[Name("a".into()), Name("a".into())]), (1, 24 + 1));
    assert_eq!(duplicates(&[Empty, Empty]), (1, 0));
}

#[test]
fn a_generic_type_can_be_marked() {
    #[derive(Hash, MemoryProfile)]
    #[profile(shareable)]
    struct Tagged<T> {
        tag: T,
    }
    let tagged = |tag: &str| Tagged { tag: tag.to_owned() };
    assert_eq!(duplicates(&[tagged("a"), tagged("b"), tagged("a")]), (1, 24 + 1));
    assert_eq!(duplicates(&[Tagged { tag: 1_u8 }, Tagged { tag: 1 }]), (1, 1));
}

#[test]
fn values_of_two_types_are_never_equal() {
    #[derive(Hash, MemoryProfile)]
    #[profile(shareable)]
    struct Other(String);
    #[derive(Hash, MemoryProfile)]
    #[profile(shareable)]
    struct Name(String);
    assert_eq!(duplicates(&(Name("a".into()), Other("a".into()))), (0, 0));
}

#[test]
fn a_deep_value_is_no_duplicate_of_itself() {
    #[derive(Hash, MemoryProfile)]
    #[profile(shareable)]
    struct Link {
        depth: u32,
        next: Option<Box<Link>>,
    }
    let mut list = None;
    for depth in 0..1000 {
        list = Some(Box::new(Link { depth, next: list }));
    }
    assert_eq!(duplicates(&list), (0, 0));
    let again = |depth| Link { depth, next: None };
    let own = size_of::<Link>() as u64;
    assert_eq!(
        duplicates(&(list, again(0), again(7))),
        (1, own),
        "only the innermost value repeats"
    );
}
