//! Random cells, locks, lazies and buffers.

use crate::random::Random;
use crate::values::Value;
use memprof::MemoryProfile;
use memprof::walk::{Position, Walk};
use std::cell::{Cell, LazyCell, OnceCell, RefCell};
use std::io::{BufReader, BufWriter, Cursor, Write};
use std::sync::{LazyLock, Mutex, OnceLock, RwLock};

impl<T: Value> Value for RefCell<T> {
    fn random(random: &mut Random) -> Self {
        Self::new(T::random(random))
    }
}

impl<T: Value + Copy> Value for Cell<T> {
    fn random(random: &mut Random) -> Self {
        Self::new(T::random(random))
    }
}

impl<T: Value> Value for OnceCell<T> {
    fn random(random: &mut Random) -> Self {
        if random.flip() { Self::from(T::random(random)) } else { Self::new() }
    }
}

impl<T: Value> Value for OnceLock<T> {
    fn random(random: &mut Random) -> Self {
        if random.flip() { Self::from(T::random(random)) } else { Self::new() }
    }
}

impl<T: Value + AsRef<[u8]>> Value for Cursor<T> {
    fn random(random: &mut Random) -> Self {
        Self::new(T::random(random))
    }
}

/// A value of a type without `Clone`. `clone` creates another random value of the same type.
#[derive(Debug)]
pub(crate) struct Unclonable<T>(pub(crate) T);

impl<T: MemoryProfile> MemoryProfile for Unclonable<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.0.owned(walk, at);
    }
}

/// Each row has a type with its generic parameters, and how to create a random value.
macro_rules! unclonable {
    ($(($($generics:tt)*) $type:ty: |$random:ident| $make:expr;)*) => {$(
        impl<$($generics)*> Clone for $crate::cells::Unclonable<$type> {
            fn clone(&self) -> Self {
                $crate::values::Value::random(&mut $crate::random::Random::new(0))
            }
        }

        impl<$($generics)*> $crate::values::Value for $crate::cells::Unclonable<$type> {
            fn random($random: &mut $crate::random::Random) -> Self {
                Self($make)
            }
        }
    )*};
}

pub(crate) use unclonable;

unclonable! {
    (T: Value) Mutex<T>: |random| Mutex::new(T::random(random));
    (T: Value) RwLock<T>: |random| RwLock::new(T::random(random));
    () LazyCell<String>: |random| {
        let lazy = LazyCell::new(text as fn() -> String);
        if random.flip() { LazyCell::force(&lazy); }
        lazy
    };
    () LazyLock<Vec<u64>>: |random| {
        let lazy = LazyLock::new(numbers as fn() -> Vec<u64>);
        if random.flip() { LazyLock::force(&lazy); }
        lazy
    };
    () BufReader<Cursor<Vec<u8>>>: |random| BufReader::with_capacity(random.capacity(), Cursor::random(random));
    () BufWriter<Vec<u8>>: |random| {
        let mut writer = BufWriter::with_capacity(random.capacity(), Vec::random(random));
        writer.write_all(b"some of it stays in the buffer").expect("vectors take everything");
        writer
    };
}

fn text() -> String {
    String::from("made late")
}

fn numbers() -> Vec<u64> {
    Vec::with_capacity(9)
}
