//! Derived code for a crate with another name, or inside another crate.

/// A crate that exports the parts of memprof that derived code needs.
mod platform {
    pub(crate) mod telemetry {
        pub(crate) use ::memprof::{__private, MemoryProfile, operation, total_bytes, track};
    }
}

/// A module that `::memprof` would name if a path were not absolute.
mod memprof {}

use platform::telemetry::{self, MemoryProfile};

#[derive(MemoryProfile)]
#[profile(crate = crate::platform::telemetry)]
struct Model<T> {
    values: Vec<T>,
    #[profile(with = Mirror::owned)]
    other: Other,
}

struct Other {
    text: String,
}

#[derive(MemoryProfile)]
#[profile(crate = crate::platform::telemetry, remote = "Other")]
struct Mirror {
    text: String,
}

#[telemetry::track(crate = crate::platform::telemetry)]
fn load() -> Vec<u8> {
    let _operation = telemetry::operation!("by hand");
    Vec::new()
}

macro_rules! tracked {
    ($name:ident) => {
        #[$crate::platform::telemetry::track(name = "tracked", crate = $crate::platform::telemetry)]
        async fn $name() -> u8 {
            5
        }
    };
}

tracked!(fetch);

#[test]
fn the_path_in_the_attribute_of_a_function_is_used() {
    extern crate memprof as renamed;
    #[renamed::track(crate = renamed)]
    fn store() {}

    store();
    drop(load());
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(std::pin::pin!(fetch()).as_mut().poll(&mut context).is_ready());
}

macro_rules! measured {
    ($name:ident { $($field:ident: $ty:ty),* }) => {
        #[derive($crate::platform::telemetry::MemoryProfile)]
        #[profile(crate = $crate::platform::telemetry)]
        struct $name { $($field: $ty),* }
    };
}

measured!(Row { cells: Vec<u8>, model: Model<u8> });

#[test]
fn the_path_in_the_attribute_is_used() {
    extern crate memprof as renamed;
    #[derive(renamed::MemoryProfile)]
    #[profile(crate = renamed)]
    enum Choice {
        One(Vec<u8>),
        Two,
    }

    let model = Model { values: vec![1, 2, 3], other: Other { text: String::from("ab") } };
    let row = Row { cells: vec![1], model };
    assert_eq!(telemetry::total_bytes(&row), 72 + 1 + 3 + 2);
    assert_eq!(renamed::total_bytes(&[Choice::One(vec![1]), Choice::Two]), 48 + 1);
    let _: fn() = || {
        #[allow(unused_imports, reason = "only that it is empty matters")]
        use crate::memprof::*;
    };
}
