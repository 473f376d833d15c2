//! Runs a model in every order, and prints the number of orders.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Runs every order in which threads are interrupted at most `most` times.
pub(crate) fn with_interruptions(most: usize, model: impl Fn() + Send + Sync + 'static) {
    run(Some(most), model);
}

/// Runs every possible order.
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
