//! The types whose random values are tested.

use crate::cells::Unclonable;
use crate::hashes::{Last, Plain, Seeded};
use crate::keyed::Named;
use crate::random::Random;
use crate::run::{Outcome, check};
use crate::values::{Aligned, AlignedNothing};
use std::hash::{BuildHasherDefault, RandomState};
use std::rc::Rc;

use arrayvec::{ArrayString, ArrayVec};
use bytes::{Bytes, BytesMut};
use dashmap::DashMap;
use hashbrown::{HashMap, HashSet, HashTable};
use indexmap::{IndexMap, IndexSet};
use ndarray::{Array1, Array2, Array3};
use parking_lot_012 as old;
use parking_lot_013 as new;
use serde_json::{Map, Value as Json};
use smallvec::SmallVec;
use tokio::sync;

/// Creates and checks one random value of a type.
pub(crate) type Case = (&'static str, fn(&'static str, &mut Random, &mut Outcome));

macro_rules! cases {
    ($($type:ty;)*) => {
        pub(crate) const CASES: &[Case] = &[$((stringify!($type), check::<$type>),)*];
    };
}

type Runs = BuildHasherDefault<Last>;

cases! {
    // arrayvec.
    ArrayVec<u64, 4>;
    ArrayVec<String, 0>;
    ArrayVec<String, 9>;
    Vec<ArrayVec<(String, u8), 3>>;
    Vec<ArrayString<7>>;
    ArrayVec<ArrayVec<Vec<u8>, 2>, 5>;

    // bytes: buffers that have one view.
    Bytes;
    (Bytes, Box<Bytes>);
    BytesMut;
    Vec<BytesMut>;

    // dashmap.
    DashMap<u64, u64, Runs>;
    DashMap<u8, (), Plain>;
    DashMap<String, Vec<u8>, RandomState>;
    DashMap<u16, Aligned, Seeded>;
    DashMap<u8, DashMap<u8, String, Plain>, Plain>;
    DashMap<(), Box<u64>, Plain>;

    // hashbrown: sizes and alignments of entries, hashers with and without bytes of their own.
    HashMap<u8, u8, Plain>;
    HashMap<u64, u64, Runs>;
    HashMap<u64, u64, Seeded>;
    HashMap<u16, (), Runs>;
    HashMap<Aligned, u8, Runs>;
    HashMap<(), String, Plain>;
    HashMap<String, Vec<u64>, RandomState>;
    HashMap<u16, HashMap<u8, String, Plain>, Plain>;
    HashMap<AlignedNothing, u8, Plain>;
    Vec<HashMap<[u8; 3], u8, Runs>>;
    HashSet<u8, Plain>;
    HashSet<u16, Runs>;
    HashSet<(), Plain>;
    HashSet<String, RandomState>;
    HashSet<Aligned, Seeded>;
    HashTable<u64>;
    HashTable<u8>;
    HashTable<(String, u8)>;

    // indexmap.
    IndexMap<u64, u64, Runs>;
    IndexMap<u8, u8, Plain>;
    IndexMap<u8, (), Seeded>;
    IndexMap<(), u128, Plain>;
    IndexMap<[u8; 3], Aligned, Runs>;
    IndexMap<AlignedNothing, u8, Plain>;
    IndexMap<String, Vec<u64>, RandomState>;
    IndexMap<u16, IndexMap<u8, String, Plain>, Plain>;
    Vec<IndexMap<u32, u16, Seeded>>;
    IndexSet<u64, Runs>;
    IndexSet<(), Plain>;
    IndexSet<String, RandomState>;
    IndexSet<Aligned, Plain>;

    // Maps whose keys name their entries.
    Named<DashMap<String, Vec<u8>, RandomState>>;
    Named<DashMap<u8, DashMap<u8, String, Plain>, Plain>>;
    Named<HashMap<String, Vec<u64>, RandomState>>;
    Named<HashMap<u8, Named<HashMap<u8, String, Plain>>, Runs>>;
    Vec<Named<HashMap<u64, u16, Seeded>>>;
    Named<IndexMap<String, Vec<u64>, RandomState>>;
    Named<IndexMap<u16, Named<IndexMap<u8, String, Plain>>, Plain>>;
    Vec<Named<IndexMap<u8, Rc<Vec<u8>>, Runs>>>;
    Named<Map<String, Json>>;

    // Locks.
    Unclonable<old::Mutex<Vec<String>>>;
    Vec<Unclonable<old::RwLock<String>>>;
    Unclonable<new::Mutex<Vec<String>>>;
    Vec<Unclonable<new::RwLock<Vec<u8>>>>;
    Box<Unclonable<new::ReentrantMutex<(u8, String)>>>;
    Unclonable<sync::Mutex<Vec<String>>>;
    Vec<Unclonable<sync::RwLock<String>>>;
    Vec<Unclonable<sync::OnceCell<Box<u64>>>>;

    // ndarray.
    Array1<f64>;
    Array1<String>;
    Array1<()>;
    Array2<u8>;
    Array2<Vec<u16>>;
    Vec<Array2<Aligned>>;
    Array3<i32>;
    Array3<Option<Box<u8>>>;

    // serde_json.
    Json;
    Vec<Json>;
    Map<String, Json>;

    // smallvec.
    SmallVec<[u8; 16]>;
    SmallVec<[u64; 0]>;
    SmallVec<[(u64, u8); 3]>;
    SmallVec<[String; 2]>;
    SmallVec<[(); 2]>;
    SmallVec<[Aligned; 1]>;
    Vec<SmallVec<[u32; 4]>>;
    Vec<Option<SmallVec<[u8; 8]>>>;
    SmallVec<[SmallVec<[Vec<u8>; 2]>; 3]>;
    Vec<Rc<SmallVec<[Box<u64>; 2]>>>;
}
