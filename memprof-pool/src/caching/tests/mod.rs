//! Random operations on pools beside a model, and faults that the model and the check of the books must
//! find.

mod device;
mod faults;
mod random;
mod streams;
