//! The tensor with a unit, its backends, and the program that measures it.

mod cuda;
mod elsewhere;
mod gradients;
mod memory;
mod program;
mod tensors;
