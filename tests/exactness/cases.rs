//! The types whose random values are tested: each container with keys and values of every layout.

use crate::cells::Unclonable;
use crate::elements::ByFunction;
use crate::hashes::{Last, Plain, Seeded, Wrapped};
use crate::nested::Nested;
use crate::random::Random;
use crate::run::{Outcome, check};
use crate::shared::{Knot, Object, Ring, Watched};
use crate::values::{Aligned, AlignedNothing};
use std::borrow::Cow;
use std::cell::{Cell, LazyCell, OnceCell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{CStr, CString, OsStr, OsString};
use std::hash::BuildHasherDefault;
use std::io::{BufReader, BufWriter, Cursor};
use std::marker::PhantomData;
use std::num::{NonZeroU32, Wrapping};
use std::ops::{Bound, ControlFlow, Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::rc::{self, Rc};
use std::sync::{self, Arc, LazyLock, Mutex, OnceLock, RwLock};
use std::task::Poll;

/// Creates and checks one random value of a type.
pub(crate) type Case = (&'static str, fn(&'static str, &mut Random, &mut Outcome));

macro_rules! cases {
    ($($type:ty;)*) => {
        pub(crate) const CASES: &[Case] = &[$((stringify!($type), check::<$type>),)*];
    };
}

type Runs = BuildHasherDefault<Last>;
type AnyOf<T> = Option<Result<T, Box<T>>>;
type Dead<T> = (rc::Weak<T>, sync::Weak<T>);
type DeadUnsized = (rc::Weak<[u32]>, rc::Weak<str>, rc::Weak<dyn Object>);
type DeadUnsizedArc = (sync::Weak<[u32]>, sync::Weak<str>, sync::Weak<dyn Object>);

cases! {
    Nested;
    Vec<Nested>;
    BTreeMap<String, Nested>;
    HashMap<u64, (Nested, Nested), Plain>;

    // Text.
    String;
    (OsString, PathBuf, CString);
    (Box<str>, Box<OsStr>, Box<Path>, Box<CStr>);
    Vec<String>;
    Vec<OsString>;
    Vec<CString>;
    Cow<'static, str>;
    Vec<Cow<'static, str>>;
    Cow<'static, [String]>;

    // Sequences.
    Vec<u8>;
    Vec<(u64, u8)>;
    Vec<()>;
    Vec<AlignedNothing>;
    Vec<Aligned>;
    Vec<u128>;
    Vec<[u8; 3]>;
    Vec<Option<u32>>;
    Vec<Vec<u8>>;
    Vec<Vec<Vec<u64>>>;
    Vec<Vec<()>>;
    Vec<[String; 2]>;
    Vec<[String; 0]>;
    Vec<(String, u8, Vec<u16>)>;
    Vec<Option<Box<str>>>;
    VecDeque<u64>;
    VecDeque<String>;
    VecDeque<()>;
    VecDeque<Aligned>;
    BinaryHeap<u32>;
    BinaryHeap<(String, u8)>;
    BinaryHeap<Reverse<Vec<u8>>>;
    LinkedList<u8>;
    LinkedList<String>;
    LinkedList<()>;
    LinkedList<Aligned>;
    LinkedList<(u128, u8)>;
    LinkedList<LinkedList<Vec<u8>>>;

    // Boxes.
    Box<u64>;
    Box<()>;
    Box<Aligned>;
    Box<[u64]>;
    Box<[String]>;
    Box<[()]>;
    Vec<Box<[u8; 3]>>;
    Box<(u8, u64, String)>;
    Box<[Vec<String>; 2]>;
    Pin<Box<Vec<u8>>>;
    Vec<Unclonable<Box<dyn Object>>>;
    AnyOf<String>;
    Vec<AnyOf<Vec<u8>>>;

    // Hash tables: sizes and alignments of entries, hashers with and without bytes of their own.
    // The same seed fills a table in the same order, except with `RandomState`, which a few rows
    // use.
    HashMap<u8, u8, Plain>;
    HashMap<u8, u8, Runs>;
    HashMap<u16, (), Runs>;
    HashMap<u64, u8, Plain>;
    HashMap<u64, u8, Runs>;
    HashMap<u32, u32, Runs>;
    HashMap<u64, u64, Plain>;
    HashMap<u64, u64, Runs>;
    HashMap<u64, u64, Seeded>;
    HashMap<u128, u8, Runs>;
    HashMap<u64, u128, Plain>;
    HashMap<Aligned, u8, Runs>;
    HashMap<u8, Aligned, Runs>;
    HashMap<[u8; 3], [u8; 3], Runs>;
    HashMap<(), (), Plain>;
    HashMap<(), String, Plain>;
    HashMap<String, (), Plain>;
    HashMap<AlignedNothing, u8, Plain>;
    HashMap<u32, AlignedNothing, Runs>;
    HashMap<String, Vec<u64>>;
    HashMap<String, String, Seeded>;
    HashMap<u32, String, Runs>;
    HashMap<Vec<u8>, Option<Box<u8>>, Plain>;
    HashMap<u16, HashMap<u8, String, Plain>, Plain>;
    HashMap<u64, [u64; 2], Runs>;
    Wrapped<u64, String>;
    Wrapped<u16, u16>;
    HashSet<u8, Plain>;
    HashSet<u16, Runs>;
    HashSet<u64, Runs>;
    HashSet<(), Plain>;
    HashSet<String>;
    HashSet<Aligned, Seeded>;
    HashSet<Option<Vec<u8>>, Plain>;
    Vec<HashSet<u32, Plain>>;

    // B-trees: sizes and alignments of keys and values.
    BTreeMap<u64, u64>;
    BTreeMap<u8, u8>;
    BTreeMap<u16, [u8; 3]>;
    BTreeMap<u8, u64>;
    BTreeMap<u64, u8>;
    BTreeMap<u128, u8>;
    BTreeMap<u8, u128>;
    BTreeMap<Aligned, u8>;
    BTreeMap<u16, Aligned>;
    BTreeMap<u64, ()>;
    BTreeMap<(), u64>;
    BTreeMap<(), String>;
    BTreeMap<u32, AlignedNothing>;
    BTreeMap<AlignedNothing, u32>;
    BTreeMap<[u8; 3], ()>;
    BTreeMap<String, String>;
    BTreeMap<String, Vec<u64>>;
    BTreeMap<u32, BTreeMap<u16, String>>;
    BTreeMap<Vec<u8>, BTreeSet<u8>>;
    BTreeMap<(u64, u8), Option<Box<u16>>>;
    BTreeSet<u8>;
    BTreeSet<u64>;
    BTreeSet<u128>;
    BTreeSet<()>;
    BTreeSet<Aligned>;
    BTreeSet<String>;
    BTreeSet<[u8; 3]>;
    Vec<BTreeMap<u8, u8>>;

    // Shared memory.
    Rc<String>;
    Arc<String>;
    Rc<()>;
    Arc<Aligned>;
    Rc<AlignedNothing>;
    Vec<Rc<()>>;
    Vec<Rc<u8>>;
    Vec<Rc<Vec<u8>>>;
    Vec<Arc<u128>>;
    Vec<Arc<Aligned>>;
    Vec<Arc<Vec<Rc<String>>>>;
    BTreeMap<u8, Rc<String>>;
    HashMap<u8, Arc<[String]>, Plain>;
    Vec<Rc<str>>;
    Vec<Arc<str>>;
    Vec<Rc<[u64]>>;
    Vec<Arc<[Aligned]>>;
    Vec<Arc<[Vec<u8>]>>;
    Vec<Rc<dyn Object>>;
    Vec<Arc<dyn Object>>;
    Dead<u64>;
    Dead<Vec<u8>>;
    Vec<rc::Weak<Aligned>>;
    Vec<sync::Weak<[u8; 3]>>;
    Vec<rc::Weak<()>>;
    Vec<DeadUnsized>;
    Vec<DeadUnsizedArc>;
    Watched<String>;
    Ring;
    Vec<Ring>;
    Knot;
    Vec<Rc<RefCell<Vec<Rc<String>>>>>;
    Vec<Arc<Unclonable<Mutex<Vec<String>>>>>;

    // Cells, locks, lazies.
    RefCell<Vec<u8>>;
    Box<RefCell<(u8, String)>>;
    Cell<u64>;
    Box<Cell<[u8; 3]>>;
    Vec<OnceCell<String>>;
    Vec<OnceLock<Box<u64>>>;
    Unclonable<Mutex<Vec<String>>>;
    Vec<Unclonable<Mutex<String>>>;
    Vec<Unclonable<RwLock<Vec<u8>>>>;
    Vec<Unclonable<LazyCell<String>>>;
    Vec<Unclonable<LazyLock<Vec<u64>>>>;
    RefCell<RefCell<RefCell<Vec<u8>>>>;

    // Elements that a function profiles.
    ByFunction<Vec<String>>;
    ByFunction<Vec<u64>>;
    ByFunction<Vec<AlignedNothing>>;
    Vec<ByFunction<Vec<Box<u8>>>>;
    ByFunction<VecDeque<Vec<u8>>>;
    ByFunction<BinaryHeap<Reverse<Vec<u8>>>>;
    ByFunction<Box<String>>;
    ByFunction<Box<()>>;
    ByFunction<Box<[String]>>;
    ByFunction<[String; 2]>;
    ByFunction<Option<String>>;
    ByFunction<HashMap<String, Vec<u64>>>;
    ByFunction<HashMap<u64, String, Runs>>;
    ByFunction<HashMap<(), String, Plain>>;
    ByFunction<BTreeMap<String, Vec<u64>>>;
    ByFunction<BTreeMap<u64, u8>>;
    ByFunction<BTreeMap<(), String>>;
    ByFunction<RefCell<Vec<u8>>>;
    ByFunction<Rc<String>>;
    ByFunction<Arc<Aligned>>;
    Vec<ByFunction<Arc<Vec<u8>>>>;

    // The rest.
    Vec<Range<String>>;
    Vec<RangeInclusive<Vec<u8>>>;
    Vec<Bound<String>>;
    Vec<Poll<String>>;
    Vec<ControlFlow<String, Vec<u8>>>;
    Vec<(PhantomData<Vec<u8>>, NonZeroU32, bool)>;
    Vec<(&'static str, fn() -> u64, std::time::Duration, std::net::IpAddr)>;
    Vec<(char, f64, i32, usize)>;
    Wrapping<i64>;
    Cursor<Vec<u8>>;
    Unclonable<BufReader<Cursor<Vec<u8>>>>;
    Unclonable<BufWriter<Vec<u8>>>;
}
