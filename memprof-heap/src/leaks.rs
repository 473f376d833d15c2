//! What keeps growing: the statistics behind reports of leaks.

mod trend;
