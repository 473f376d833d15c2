//! Runs a model in every order, and says in how many.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Every order in which threads are interrupted at most so often.
pub(crate) fn with_interruptions(most: usize, model: impl Fn() + Send + Sync + 'static) {
    run(Some(most), model);
}

/// Every order there is.
pub(crate) fn every_order(model: impl Fn() + Send + Sync + 'static) {
    run(None, model);
}

fn run(interruptions: Option<usize>, model: impl Fn() + Send + Sync + 'static) {
    let orders = std::sync::Arc::new(AtomicU64::new(0));
    let counted = std::sync::Arc::clone(&orders);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = interruptions;
    builder.max_branches = 10_000;
    builder.check(move || {
        counted.fetch_add(1, Relaxed);
        model();
    });
    let bound = interruptions.map_or_else(String::new, |most| format!(", ≤ {most} interruptions"));
    let name = std::thread::current().name().unwrap_or("model").to_owned();
    println!("\n{name}: {} orders{bound}", orders.load(Relaxed));
}
