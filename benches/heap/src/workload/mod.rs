//! The workloads: the same code under every allocator.

mod block;

mod hot;
mod json;
mod model;
mod pairs;
mod threads;

/// A kind of work that can be repeated.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// The name on the command line and in the tables.
    pub name: &'static str,
    /// Prepares the work. This part is not measured.
    pub prepare: fn() -> Work,
}

/// Work that is repeated this number of times.
pub type Work = Box<dyn FnMut(usize)>;

/// The workloads that run under every allocator.
pub const WORKLOADS: [Workload; 5] = [
    Workload { name: "pairs", prepare: pairs::prepare },
    Workload { name: "hot", prepare: hot::prepare },
    Workload { name: "json", prepare: json::prepare },
    Workload { name: "model", prepare: model::prepare },
    Workload { name: "threads", prepare: threads::prepare },
];
