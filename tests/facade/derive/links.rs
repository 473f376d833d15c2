//! Lists and trees of boxes, which the derive visits in a loop.

use super::check;
use expect_test::expect;
use memprof::tree::{Branch, OpaqueReason, Role};
use memprof::walk::Observer;
use memprof::{MemoryProfile, Profile, total_bytes};

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
fn the_links_of_several_trees_in_a_collection_are_followed() {
    let trees = || (0..40).map(|_| tree("ab", None, Some(tree("abc", None, None))));
    let expected = 24 + 40 * (2 * 40 + 5);
    assert_eq!(total_bytes(&trees().collect::<Vec<_>>()), expected);
    assert_eq!(Profile::of(&trees().collect::<Vec<_>>()).total_bytes(), expected);
}

#[test]
fn a_link_keeps_its_role_and_its_name() {
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

#[test]
fn a_type_that_only_has_the_name_of_a_link_is_counted_by_its_own_impl() {
    mod own {
        use memprof::MemoryProfile;

        #[derive(MemoryProfile)]
        pub(super) struct Box<T>(pub(super) Vec<T>);
    }
    #[derive(MemoryProfile)]
    struct Node {
        value: u64,
        next: Option<own::Box<Node>>,
    }
    let end = Node { value: 1, next: None };
    let list = Node { value: 2, next: Some(own::Box(vec![end])) };
    assert_eq!(total_bytes(&list), 2 * 32);
    assert_eq!(Profile::of(&list).total_bytes(), 2 * 32);
    assert_eq!(list.value, 2);
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
