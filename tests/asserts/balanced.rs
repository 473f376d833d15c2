//! Values whose profiles and allocations agree.

use memprof::heap::exact::check_exact;
use memprof::walk::{Position, Walk};
use memprof::{MemoryProfile, assert_exact};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::thread;

#[derive(Clone, MemoryProfile)]
struct Model {
    names: Vec<String>,
    rows: BTreeMap<u32, Row>,
    index: HashMap<String, u32>,
    unit: Arc<str>,
    state: State,
}

#[derive(Clone, MemoryProfile)]
#[expect(dead_code, reason = "is only measured")]
struct Row {
    values: Vec<f64>,
    note: Option<Box<str>>,
    flag: bool,
}

#[derive(Clone, MemoryProfile)]
#[expect(dead_code, reason = "is only measured")]
enum State {
    Empty,
    Solved { objective: f64, basis: Box<[u32]> },
}

fn build(rows: u32) -> Model {
    let names: Vec<String> = (0..rows).map(|row| format!("row {row}")).collect();
    Model {
        rows: (0..rows)
            .map(|row| {
                let note = (row % 3 == 0).then(|| "every third".into());
                (row, Row { values: vec![0.5; row as usize], note, flag: row % 2 == 0 })
            })
            .collect(),
        index: names.iter().cloned().zip(0..).collect(),
        names,
        unit: "kilogram".into(),
        state: match rows {
            0 => State::Empty,
            _ => State::Solved { objective: 1.0, basis: (0..rows).collect() },
        },
    }
}

/// A type with a hand-written impl, which counts one of the fields itself.
struct Buffers {
    used: Vec<u8>,
    free: VecDeque<Box<[u8; 64]>>,
}

impl MemoryProfile for Buffers {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.allocation(at, self.used.len(), self.used.capacity());
        self.free.owned(walk, at);
    }
}

#[test]
fn derived_types_balance() {
    for rows in [0, 1, 2, 10, 1000] {
        assert_exact!(build(rows));
    }
}

#[test]
fn impls_written_by_hand_balance() {
    assert_exact!(Buffers {
        used: Vec::with_capacity(1000),
        free: (0..5).map(|byte| Box::new([byte; 64])).collect(),
    });
}

#[test]
fn an_existing_value_balances_by_its_clone() {
    let numbers: VecDeque<u64> = (0..100).collect();
    assert_exact!(numbers.clone());
    assert_eq!(numbers.len(), 100);
    let names = BTreeSet::from(["a".to_owned(), "b".to_owned()]);
    assert_exact!(names.clone(),);
}

#[test]
fn values_without_memory_of_their_own_balance() {
    assert_exact!(());
    assert_exact!(7_u64);
    assert_exact!([(1_u8, 2_u32); 4]);
    assert_exact!(Vec::<String>::new());
    assert_exact!(None::<Box<str>>);
    assert_exact!("a static str".len());
}

#[test]
fn temporaries_do_not_count() {
    assert_exact!({
        let words: Vec<String> = (0..100).map(|word| word.to_string()).collect();
        words.join(" ").split(' ').map(str::len).collect::<Vec<_>>()
    });
}

#[test]
fn memory_shared_within_the_value_balances() {
    assert_exact!({
        let unit: Rc<str> = "metre".into();
        vec![Rc::clone(&unit), Rc::clone(&unit), unit]
    });
    let cycle_free = || {
        let one = Arc::new(vec![1_u8; 100]);
        (Arc::clone(&one), Arc::downgrade(&one), one)
    };
    assert_exact!(cycle_free());
}

#[test]
fn parallel_assertions_balance() {
    thread::scope(|scope| {
        for rows in 0..8 {
            scope.spawn(move || (0..50).for_each(|more| assert_exact!(build(rows * 10 + more))));
        }
    });
}

#[test]
fn a_balance_has_its_figures() {
    let balance = check_exact(|| build(10)).expect("it balances");
    assert_eq!(balance.difference(), 0);
    assert_eq!(balance.allocator_bytes().cast_unsigned(), balance.profile().total_bytes());
    let own = size_of::<Model>() as u64;
    let net = balance.measured().net_bytes().cast_unsigned();
    assert_eq!(own + net, balance.profile().total_bytes());
}
