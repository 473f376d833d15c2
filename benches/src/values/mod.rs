//! The values to measure, one file each.

use crate::Workload;

pub mod b_tree;
pub mod flat_array;
pub mod flat_records;
pub mod json;
pub mod linked_boxes;
pub mod map_of_vectors;
pub mod model;
pub mod shared_nodes;
pub mod small_arrays;
pub mod strings;

/// Every workload, in the order of the tables.
pub const WORKLOADS: [Workload; 10] = [
    flat_array::WORKLOAD,
    flat_records::WORKLOAD,
    strings::WORKLOAD,
    map_of_vectors::WORKLOAD,
    model::WORKLOAD,
    json::WORKLOAD,
    b_tree::WORKLOAD,
    linked_boxes::WORKLOAD,
    shared_nodes::WORKLOAD,
    small_arrays::WORKLOAD,
];
