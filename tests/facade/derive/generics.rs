//! Generic types: type, const and lifetime parameters, associated types, defaults.

use super::check;
use expect_test::expect;
use memprof::{MemoryProfile, total_bytes};
use std::fmt::Debug;
use std::marker::PhantomData;

struct NoImpl;

#[test]
fn type_parameters_are_bound() {
    #[derive(MemoryProfile)]
    struct Table<K, V = u32>
    where
        K: Debug,
    {
        keys: Vec<K>,
        values: Vec<V>,
    }
    let table: Table<&str> = Table { keys: vec!["a"], values: vec![1, 2] };
    check(
        &table,
        &expect![[r#"
        Table;keys 40
        Table;values 32
    "#]],
    );
}

#[test]
fn a_parameter_in_phantom_data_is_not_bound() {
    #[derive(MemoryProfile)]
    struct Tagged<T, U> {
        tag: PhantomData<T>,
        other: PhantomData<Vec<U>>,
        id: u32,
    }
    let tagged = Tagged { tag: PhantomData::<NoImpl>, other: PhantomData::<Vec<NoImpl>>, id: 1 };
    let _ = (tagged.tag, tagged.other, tagged.id);
    assert_eq!(total_bytes(&tagged), 4);
}

#[test]
fn a_parameter_behind_a_reference_or_pointer_is_not_bound() {
    #[derive(MemoryProfile)]
    struct View<'a, T> {
        one: &'a T,
        many: &'a [T],
        maybe: Option<&'a T>,
        make: fn(T) -> T,
        raw: *const T,
    }
    let value = NoImpl;
    let view =
        View { one: &value, many: &[], maybe: None, make: |value| value, raw: &raw const value };
    let _ = (view.one, view.many, view.maybe, view.make, view.raw);
    assert_eq!(total_bytes(&view), 48);
}

#[test]
fn a_parameter_of_skipped_fields_is_not_bound() {
    fn ignore<T>(_: &T, _: &mut memprof::walk::Walk<'_>, _: memprof::walk::Position) {}
    #[derive(MemoryProfile)]
    struct Holder<T, U> {
        #[profile(skip)]
        skipped: T,
        #[profile(with = ignore::<U>)]
        with: U,
    }
    let holder = Holder { skipped: NoImpl, with: NoImpl };
    let _ = (&holder.skipped, &holder.with);
    assert_eq!(total_bytes(&holder), 0);
}

#[test]
fn associated_types_are_bound_as_written() {
    trait Units {
        type Unit;
        type Many<'a>;
    }
    struct Metric;
    impl Units for Metric {
        type Unit = String;
        type Many<'a> = Vec<&'a str>;
    }
    #[derive(MemoryProfile)]
    struct Measure<'m, U: Units, I: Iterator> {
        unit: U::Unit,
        units: Vec<U::Unit>,
        many: U::Many<'m>,
        items: Option<<I as Iterator>::Item>,
    }
    let measure = Measure::<Metric, std::vec::IntoIter<u64>> {
        unit: String::from("m"),
        units: vec![String::from("kg")],
        many: vec!["a"],
        items: Some(1),
    };
    check(
        &measure,
        &expect![[r#"
        Measure;items 16
        Measure;many 40
        Measure;unit 25
        Measure;units 50
    "#]],
    );
}

#[test]
fn const_parameters_and_lifetimes_pass_through() {
    #[derive(MemoryProfile)]
    struct Grid<'a, T: 'a, const N: usize, const M: usize = 2> {
        cells: [Vec<T>; N],
        flat: [[u8; M]; N],
        name: &'a str,
    }
    let grid: Grid<'_, u8, 2> = Grid { cells: [vec![1], vec![2, 3]], flat: [[0; 2]; 2], name: "g" };
    let _ = (grid.flat, grid.name);
    check(
        &grid,
        &expect![[r#"
        Grid 4
        Grid;cells 51
        Grid;flat 4
        Grid;name 16
    "#]],
    );
}

#[test]
fn parameters_may_have_any_name() {
    #[derive(MemoryProfile)]
    #[expect(non_camel_case_types, reason = "names of the expansion's own variables")]
    struct Odd<'a, 'walked, walk, Position, T, Field, bool_> {
        walk: walk,
        at: Position,
        values: Vec<T>,
        value: Field,
        fields: bool_,
        count: &'a u8,
        this: &'walked u8,
    }
    let odd = Odd {
        walk: 1_u8,
        at: 2_u16,
        values: vec![3_u32],
        value: String::from("v"),
        fields: 1_u8,
        count: &1,
        this: &2,
    };
    let _ = (odd.count, odd.this);
    assert_eq!(total_bytes(&odd), size_of_val(&odd) as u64 + 4 + 1);
}

#[test]
fn generic_enums_are_bound_too() {
    #[derive(MemoryProfile)]
    enum Tree<T, E: Iterator> {
        Leaf(T),
        Node { left: Box<T>, item: E::Item },
    }
    type StringTree = Tree<String, std::iter::Once<Vec<u8>>>;
    check(
        &StringTree::Leaf(String::from("abc")),
        &expect![[r#"
        Tree 32
        Tree;Leaf 3
    "#]],
    );
    let node = StringTree::Node { left: Box::new(String::from("ab")), item: vec![1; 4] };
    check(
        &node,
        &expect![[r#"
        Tree 32
        Tree;Node;item 4
        Tree;Node;left 26
    "#]],
    );
}
