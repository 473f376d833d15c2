//! Recursive types, and values that nest too deeply for a recursive walk.

use super::check;
use expect_test::expect;
use memprof::tree::{Branch, OpaqueReason, Role};
use memprof::walk::Observer;
use memprof::{MemoryProfile, Profile, total_bytes};

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

#[derive(MemoryProfile)]
struct Tree {
    name: String,
    left: Option<Box<Tree>>,
    right: Option<Box<Self>>,
}

fn tree(name: &str, left: Option<Tree>, right: Option<Tree>) -> Tree {
    Tree { name: name.into(), left: left.map(Box::new), right: right.map(Box::new) }
}

#[test]
fn the_nodes_of_a_tree_count_at_the_fields_that_lead_to_them() {
    let inner = tree("ab", Some(tree("abc", None, None)), Some(tree("abcd", None, None)));
    let root = tree("a", Some(inner), Some(tree("abcde", None, None)));
    check(
        &root,
        &expect![[r#"
            Tree;left 40
            Tree;name 135
            Tree;right 40
        "#]],
    );
    let profile = Profile::of(&root);
    let allocations = profile.root().subtree().map(|branch| branch.counts().allocations);
    assert_eq!(allocations.sum::<u64>(), 4 + 5);
    assert_eq!(total_bytes(&root), 5 * 40 + 1 + 2 + 3 + 4 + 5);
}

#[test]
fn several_trees_in_a_collection_are_counted() {
    let trees = || (0..40).map(|_| tree("ab", None, Some(tree("abc", None, None))));
    let expected = 24 + 40 * (2 * 40 + 5);
    assert_eq!(total_bytes(&trees().collect::<Vec<_>>()), expected);
    assert_eq!(Profile::of(&trees().collect::<Vec<_>>()).total_bytes(), expected);
}

#[test]
fn the_nodes_of_a_list_keep_the_role_and_the_name_of_the_field() {
    #[derive(MemoryProfile)]
    struct Node {
        value: u64,
        #[profile(role = "metadata", rename = "rest")]
        next: Option<Box<Node>>,
    }
    let list = (0..4).fold(None, |next, value| Some(Box::new(Node { value, next })));
    let list = list.expect("it has nodes");
    let profile = Profile::of(&*list);
    assert_eq!(profile.total_bytes(), 4 * 16);
    let rest = profile.root().child("rest").expect("it has a name");
    assert_eq!(rest.total_bytes(), 8 + 3 * 16);
    assert!(rest.subtree().flat_map(Branch::leaves).all(|leaf| leaf.role() == Role::Metadata));
    assert_eq!(list.value, 3);
}

/// Stops a walk after a number of calls.
struct After(u32);

impl Observer for After {
    fn stops(&mut self) -> bool {
        let is_over = self.0 == 0;
        self.0 = self.0.saturating_sub(1);
        is_over
    }
}

#[test]
fn a_stopped_walk_marks_the_first_node_that_it_did_not_visit() {
    let list = (0..2_000)
        .fold(None, |right, _| Some(Box::new(tree("ab", None, right.map(|b: Box<Tree>| *b)))));
    for (calls, most) in [(0, 1), (1, 257), (4, 1_025)] {
        let profile = Profile::observed("list", &list, &mut After(calls));
        let marks: Vec<_> = profile.root().subtree().flat_map(Branch::opaque).collect();
        assert_eq!(marks, [(OpaqueReason::Stopped, 1)], "{calls}");
        assert!(profile.total_bytes() <= 8 + most * 42, "{calls}: {}", profile.total_bytes());
    }
    assert!(Profile::observed("list", &list, &mut After(100)).is_exact());
}

/// Returns a list of 100,000 nodes.
#[cfg(debug_assertions)]
fn list<T>(around: fn(Option<Box<T>>) -> T) -> Option<Box<T>> {
    (0..100_000).fold(None, |next, _| Some(Box::new(around(next))))
}

/// Returns the message of the panic that profiling a value causes.
#[cfg(debug_assertions)]
fn panic_of<T: MemoryProfile + Send>(value: &T) -> String {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| Profile::of(value)));
    let panic = panic.expect_err("it panics before the stack overflows");
    panic.downcast_ref::<String>().expect("it has a message").clone()
}

#[test]
#[cfg(debug_assertions)]
fn an_impl_that_recurses_without_the_walk_panics_before_the_stack_overflows() {
    use memprof::walk::{Field, Position, Shape, Walk};

    struct Named {
        next: Option<Box<Named>>,
    }
    static NAMED: Shape = Shape::of::<Named>(&[Field::of::<Option<Box<Named>>>("next")]);
    impl MemoryProfile for Named {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            let fields = walk.fields(at, &NAMED);
            if let Some(next) = &self.next {
                (**next).owned(walk, fields.at(0));
            }
        }
    }
    struct Nameless {
        next: Option<Box<Nameless>>,
    }
    impl MemoryProfile for Nameless {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            if let Some(next) = &self.next {
                walk.allocation(at, size_of::<Self>(), size_of::<Self>());
                (**next).owned(walk, at);
            }
        }
    }

    let mut named = list(|next| Named { next });
    let message = panic_of(&named);
    assert!(
        message.contains("for `facade::derive::recursion::")
            && message.contains("::Named` calls `owned`"),
        "{message}"
    );
    while let Some(mut node) = named {
        named = node.next.take();
    }
    let mut nameless = list(|next| Nameless { next });
    let message = panic_of(&nameless);
    assert!(message.contains("for a type in `") && message.contains("Nameless"), "{message}");
    while let Some(mut node) = nameless {
        nameless = node.next.take();
    }
}
