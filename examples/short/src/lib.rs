//! Short examples, one for each question, below `examples`. The tests run each of them.
