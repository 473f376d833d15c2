//! The tensor with a unit, its backends, and the program that measures it.

mod cuda;
mod fake_device;
mod gradients;
mod memory;
mod program;
mod tensors;
