//! The table of paths: two threads that enter the same operation get the same number.

use crate::explore::every_order;
use crate::record::path_table::{Entry, Named, OTHER, Table};
use crate::record::sync::{AtomicPtr, AtomicU32};
use loom::sync::Arc;
use loom::thread;
use std::array::from_fn;
use std::ptr;

impl Named for &'static str {
    fn name(&self) -> &'static str {
        self
    }
}

const ROOT: u32 = 0;

/// Creates a table of `N` numbers: `ROOT`, `OTHER`, and the rest for paths.
fn table<const N: usize>() -> Arc<Table<&'static str, N>> {
    Arc::new(Table {
        paths: from_fn(|_| Entry {
            parent: AtomicU32::new(0),
            site: AtomicPtr::new(ptr::null_mut()),
        }),
        index: from_fn(|_| from_fn(|_| AtomicU32::new(0))),
        added: AtomicU32::new(0),
    })
}

#[test]
fn the_same_path_has_one_number_and_different_ones_two() {
    every_order(|| {
        let table = table::<6>();
        let other = thread::spawn({
            let table = table.clone();
            move || [table.child(ROOT, &"load"), table.child(ROOT, &"parse")]
        });
        let [parse, load] = [table.child(ROOT, &"parse"), table.child(ROOT, &"load")];
        assert_eq!(other.join().unwrap(), [load, parse]);
        assert_ne!(load, parse);
        for (number, name) in [(load, "load"), (parse, "parse")] {
            let path = table.get(number).expect("it was added");
            assert_eq!((path.parent, *path.site), (ROOT, name));
        }
    });
}

#[test]
fn a_name_below_two_paths_has_two_numbers() {
    every_order(|| {
        let table = table::<6>();
        let other = thread::spawn({
            let table = table.clone();
            move || table.child(ROOT, &"load")
        });
        let load = table.child(ROOT, &"load");
        let within = table.child(load, &"load");
        assert_eq!(other.join().unwrap(), load);
        assert_ne!(load, within);
        assert_eq!(table.get(within).expect("it was added").parent, load);
    });
}

#[test]
fn new_paths_of_a_full_table_are_other_and_earlier_ones_stay() {
    every_order(|| {
        let table = table::<3>();
        let load = table.child(ROOT, &"load");
        let other = thread::spawn({
            let table = table.clone();
            move || table.child(ROOT, &"parse")
        });
        assert_eq!(table.child(ROOT, &"print"), OTHER);
        assert_eq!(other.join().unwrap(), OTHER);
        assert_eq!(table.child(ROOT, &"load"), load);
        assert_eq!(table.numbers(), OTHER..3);
    });
}
