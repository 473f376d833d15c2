//! Live memory by type: each operation allocates values of one type, whose name it has.
//!
//! How much of the memory gets its type depends on the build. With `--release --nocapture`, this prints
//! the share for an optimised one.

use crate::beside;
use crate::child::Child;
use crate::folder::Folder;
use crate::program::{end, seldom};
use memprof::heap::{Level, Rate, set_rate};
use memprof::operation;
use memprof::session::SymbolSearch;
use memprof::session::document::Place;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hint::black_box;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// Defines types of different sizes.
macro_rules! types {
    ($($name:ident $words:literal)+) => {$(
        #[derive(Clone)]
        #[expect(dead_code, reason = "values are only allocated")]
        struct $name([u64; $words]);
    )+};
}

types! { Order 3 Quote 2 Node 6 Config 12 Person 5 Trade 6 Event 7 Span 4 Label 2 }

/// Evaluates an expression within an operation.
macro_rules! within {
    ($name:literal: $value:expr) => {{
        let _operation = operation!($name);
        $value
    }};
}

pub(crate) fn allocate(folder: &Path) {
    set_rate(Rate::every(4096));
    let session = seldom(folder).level(Level::Sampled).start().expect("the folder can be written");
    let count = black_box(8192);
    let numbers = || 0..count as u64;
    let mut orders = Vec::new();
    within!("Order": numbers().for_each(|number| orders.push(Order([number; 3]))));
    let copies = within!("Order": orders.clone());
    let quotes: Vec<Quote> = within!("Quote": numbers().map(|number| Quote([number; 2])).collect());
    let mut nodes = Vec::with_capacity(count);
    within!("Node": numbers().for_each(|number| nodes.push(Box::new(Node([number; 6])))));
    let mut configs = Vec::with_capacity(count);
    within!("Config": numbers().for_each(|number| configs.push(Arc::new(Config([number; 12])))));
    let mut people = HashMap::new();
    within!("Person": numbers().for_each(|number| _ = people.insert(number, Person([number; 5]))));
    let mut trades = BTreeMap::new();
    within!("Trade": numbers().for_each(|number| _ = trades.insert(number, Trade([number; 6]))));
    let mut events = VecDeque::new();
    within!("Event": numbers().for_each(|number| events.push_back(Event([number; 7]))));
    let mut spans = Vec::with_capacity(count);
    within!("Span": numbers().for_each(|number| spans.push(Rc::new(Span([number; 4])))));
    let labels: Arc<[Label]> = within!("Label": numbers().map(|n| Label([n; 2])).collect());
    let mut names = Vec::with_capacity(count);
    within!("String": numbers().for_each(|number| names.push(format!("the name of number {number}"))));
    let weights = within!("f32": vec![0.5_f32; 8 * count]);
    let mut seen = HashSet::new();
    within!("u32": numbers().for_each(|number| _ = seen.insert(number as u32)));
    session.checkpoint("live");
    black_box((orders, copies, quotes, nodes, configs, people, trades));
    black_box((events, spans, labels, names, weights, seen));
    end(session);
}

#[test]
fn live_memory_gets_the_type_that_allocated_it_or_none() {
    let _beside = beside();
    let folder = Folder::new();
    let ended = Child::start_with("allocate types", &folder, &[]).end();
    assert!(ended.status.success(), "{}", ended.error);
    let mut recording = folder.recording();
    SymbolSearch::new().resolve(&mut recording);
    let moment = recording.live_stacks_at("live").expect("a checkpoint has stacks");
    let named = recording.stacks.named();
    let [mut right, mut unknown] = [0.0; 2];
    for row in &moment.rows {
        let path = recording.operation_paths.iter().find(|path| Some(path.path) == row.path);
        let Some(expected) = path.and_then(|path| path.names.last()) else { continue };
        match Place::allocated_type(&recording.stacks.frames_of(row.stack, &named)) {
            None => unknown += row.live.value,
            Some(name) if name.contains(expected) => right += row.live.value,
            Some(name) => panic!("{name} and not {expected}"),
        }
    }
    let share = right / (right + unknown);
    println!("{:.1} % of the live bytes have their type", 100.0 * share);
    let least = if cfg!(debug_assertions) { 0.3 } else { 0.9 };
    assert!(share >= least, "{share}");
    let types = recording.live_types(moment);
    assert!(types.iter().any(|one| one.name.is_none()) == (unknown > 0.0), "{types:?}");
}
