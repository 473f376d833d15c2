//! The list of nodes: no two threads share one, and the next owner sees what was counted before.
#![expect(unsafe_code, reason = "nodes are leaked, and freed at the end")]

use crate::explore::{every_order, with_interruptions};
use crate::record::list::{Link, Linked, List, OWNED};
use crate::record::sync::{AtomicPtr, AtomicU32};
use loom::cell::Cell;
use loom::sync::Arc;
use loom::thread;
use std::ptr;

/// The node of a thread. Loom fails if two threads use `counted` at once.
struct Node {
    link: Link<Self>,
    counted: Cell<u32>,
}

impl Linked for Node {
    fn link(&self) -> &Link<Self> {
        &self.link
    }
}

/// A list that frees its nodes at the end, because a model runs very often.
struct Nodes(List<Node>);

impl Nodes {
    fn none() -> Arc<Self> {
        Arc::new(Self(List { first: AtomicPtr::new(ptr::null_mut()) }))
    }

    /// Takes or adds a node, like a thread that first counts.
    fn acquire(&self) -> &'static Node {
        self.0.acquire(OWNED).unwrap_or_else(|| {
            let node = Box::leak(Box::new(Node {
                link: Link { owner: AtomicU32::new(OWNED), next: AtomicPtr::new(ptr::null_mut()) },
                counted: Cell::new(0),
            }));
            self.0.add(node);
            node
        })
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        let all: Vec<_> = self.0.all().map(ptr::from_ref).collect();
        for node in all {
            // SAFETY: `acquire` boxed it, and the threads that used it have ended.
            drop(unsafe { Box::from_raw(node.cast_mut()) });
        }
    }
}

impl Node {
    fn count(&self) {
        self.counted.set(self.counted.get() + 1);
    }
}

#[test]
fn two_threads_at_once_get_a_node_each() {
    every_order(|| {
        let nodes = Nodes::none();
        let other = thread::spawn({
            let nodes = nodes.clone();
            move || {
                let node = nodes.acquire();
                node.count();
                ptr::from_ref(node).addr()
            }
        });
        let local = nodes.acquire();
        local.count();
        assert_ne!(other.join().unwrap(), ptr::from_ref(local).addr());
        assert_eq!(nodes.0.all().map(|node| node.counted.get()).collect::<Vec<_>>(), [1, 1]);
    });
}

#[test]
fn the_next_owner_of_a_node_continues_its_counts() {
    every_order(|| {
        let nodes = Nodes::none();
        let first = nodes.acquire();
        first.count();
        let other = thread::spawn({
            let nodes = nodes.clone();
            move || {
                let node = nodes.acquire();
                node.count();
                node.link.release();
            }
        });
        first.count();
        first.link.release();
        other.join().unwrap();
        let sum: u32 = nodes.0.all().map(|node| node.counted.get()).sum();
        assert_eq!(sum, 3);
        assert!(nodes.0.all().all(|node| !node.link.is_owned()));
    });
}

#[test]
fn three_threads_that_start_and_end_share_no_node() {
    with_interruptions(2, || {
        let nodes = Nodes::none();
        let others: Vec<_> = (0..2)
            .map(|_| {
                let nodes = nodes.clone();
                thread::spawn(move || {
                    let node = nodes.acquire();
                    node.count();
                    node.link.release();
                })
            })
            .collect();
        let local = nodes.acquire();
        local.count();
        local.link.release();
        for other in others {
            other.join().unwrap();
        }
        assert_eq!(nodes.0.all().map(|node| node.counted.get()).sum::<u32>(), 3);
        assert!(nodes.0.all().count() <= 3);
    });
}
