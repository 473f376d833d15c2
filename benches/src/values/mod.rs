//! The values to measure, one file each.

use crate::Workload;

pub mod b_tree;
pub mod b_tree_of_structs;
pub mod box_tree;
pub mod cells;
pub mod flat_array;
pub mod flat_records;
pub mod json;
pub mod linked_boxes;
pub mod map_of_vectors;
pub mod model;
pub mod shared_nodes;
pub mod small_arrays;
pub mod small_values;
pub mod strings;
pub mod strings_some_empty;

/// Every workload, in the order of the tables.
pub const WORKLOADS: [Workload; 16] = [
    flat_array::WORKLOAD,
    flat_records::WORKLOAD,
    strings::WORKLOAD,
    strings_some_empty::WORKLOAD,
    cells::STRINGS,
    cells::SHARED,
    map_of_vectors::WORKLOAD,
    model::WORKLOAD,
    json::WORKLOAD,
    b_tree::WORKLOAD,
    b_tree_of_structs::WORKLOAD,
    linked_boxes::WORKLOAD,
    box_tree::WORKLOAD,
    shared_nodes::WORKLOAD,
    small_arrays::WORKLOAD,
    small_values::WORKLOAD,
];
