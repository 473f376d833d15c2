//! Recursive types, and values that nest too deeply for a recursive walk.

use super::check;
use expect_test::expect;
use memprof::{MemoryProfile, total_bytes};

#[test]
fn a_generic_tree_folds_onto_itself() {
    #[derive(MemoryProfile)]
    struct Tree<T> {
        value: T,
        children: Vec<Tree<T>>,
    }
    let leaf = |text: &str| Tree { value: String::from(text), children: vec![] };
    let tree = Tree { value: String::from("root"), children: vec![leaf("a"), leaf("bc")] };
    check(
        &tree,
        &expect![[r#"
        Tree;children 72
        Tree;value 79
    "#]],
    );
}

#[test]
fn types_may_recurse_through_each_other() {
    #[derive(MemoryProfile)]
    struct Statement<E> {
        text: String,
        expressions: Vec<Expression<E>>,
    }
    #[derive(MemoryProfile)]
    enum Expression<E> {
        Literal(E),
        Block(Box<Statement<E>>),
        Sum { left: Box<Expression<E>>, right: Box<Expression<E>> },
    }
    let literal = |number| Box::new(Expression::Literal(number));
    let inner = Statement { text: String::from("inner"), expressions: vec![] };
    let statement = Statement {
        text: String::from("outer"),
        expressions: vec![
            Expression::Block(Box::new(inner)),
            Expression::Sum { left: literal(vec![1_u8]), right: literal(vec![2]) },
        ],
    };
    check(
        &statement,
        &expect![[r#"
        Statement;expressions 96
        Statement;expressions;Literal 2
        Statement;expressions;Sum;left 24
        Statement;expressions;Sum;right 24
        Statement;text 58
    "#]],
    );
}

#[test]
fn a_recursive_enum_folds_onto_itself() {
    #[derive(MemoryProfile)]
    enum Json {
        Null,
        Text(String),
        Array(Vec<Self>),
    }
    let text = |text: &str| Json::Text(String::from(text));
    let json = Json::Array(vec![text("a"), Json::Array(vec![text("bc"), Json::Null]), text("def")]);
    check(
        &json,
        &expect![[r#"
        Json 32
        Json;Array 160
        Json;Text 6
    "#]],
    );
}

#[test]
fn a_newtype_may_hold_itself() {
    #[derive(MemoryProfile)]
    struct Nested(Vec<Nested>);
    check(
        &Nested(vec![Nested(vec![]), Nested(vec![])]),
        &expect![[r#"
        Nested 72
    "#]],
    );
}

#[test]
fn a_long_list_does_not_overflow_the_stack() {
    #[derive(MemoryProfile)]
    struct Node {
        value: u64,
        next: Option<Box<Node>>,
    }
    let mut list = None;
    for value in 0..200_000 {
        list = Some(Box::new(Node { value, next: list }));
    }
    assert_eq!(total_bytes(&list), 8 + 200_000 * 16);
    // Dropping a list recurses, so it is taken apart in a loop.
    while let Some(mut node) = list {
        assert!(node.value < 200_000);
        list = node.next.take();
    }
}
