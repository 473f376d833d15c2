//! The types whose random values are tested.

use crate::cells::Unclonable;
use crate::hashes::{Last, Plain, Seeded};
use crate::keyed::Named;
use crate::random::Random;
use crate::run::{Outcome, check};
use crate::slotmap1::OldSlotMap;
use crate::values::{Aligned, AlignedNothing};
use std::hash::{BuildHasherDefault, RandomState};
use std::rc::Rc;

use arrayvec::{ArrayString, ArrayVec};
use bytes::{Bytes, BytesMut};
use dashmap::DashMap;
use hashbrown::{HashMap, HashSet, HashTable};
use indexmap::{IndexMap, IndexSet};
use lru::LruCache;
use ndarray::{Array1, Array2, Array3};
use ordermap::{OrderMap, OrderSet};
use parking_lot_012 as old;
use parking_lot_013 as new;
use petgraph::graph::{DiGraph, UnGraph};
use petgraph::stable_graph::{StableDiGraph, StableUnGraph};
use serde_json::{Map, Value as Json};
use slab::Slab;
use slotmap::{DefaultKey, DenseSlotMap, SecondaryMap, SlotMap, SparseSecondaryMap};
use smallvec::SmallVec;
use thin_vec::ThinVec;
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

    // compact_str.
    compact_str_09::CompactString;
    Vec<compact_str_09::CompactString>;
    compact_str_010::CompactString;
    Vec<compact_str_010::CompactString>;
    Box<(compact_str_010::CompactString, u8)>;

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

    // lru.
    LruCache<u64, u64, Runs>;
    LruCache<u8, String, Plain>;
    LruCache<String, Vec<u8>, RandomState>;
    LruCache<u16, Aligned, Seeded>;
    LruCache<(), Box<u64>, Plain>;
    Vec<LruCache<u8, LruCache<u8, String, Plain>, Plain>>;

    // Maps whose keys name their entries.
    Named<LruCache<u8, Vec<u8>, Plain>>;
    Named<OrderMap<u16, Named<OrderMap<u8, String, Plain>>, Plain>>;
    Named<DashMap<String, Vec<u8>, RandomState>>;
    Named<DashMap<u8, DashMap<u8, String, Plain>, Plain>>;
    Named<HashMap<String, Vec<u64>, RandomState>>;
    Named<HashMap<u8, Named<HashMap<u8, String, Plain>>, Runs>>;
    Vec<Named<HashMap<u64, u16, Seeded>>>;
    Named<IndexMap<String, Vec<u64>, RandomState>>;
    Named<IndexMap<u16, Named<IndexMap<u8, String, Plain>>, Plain>>;
    Vec<Named<IndexMap<u8, Rc<Vec<u8>>, Runs>>>;
    Named<Map<String, Json>>;
    Named<Json>;

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

    // ordermap.
    OrderMap<u64, u64, Runs>;
    OrderMap<u8, (), Seeded>;
    OrderMap<String, Vec<u64>, RandomState>;
    OrderMap<[u8; 3], Aligned, Runs>;
    Vec<OrderMap<u16, OrderMap<u8, String, Plain>, Plain>>;
    OrderSet<u64, Runs>;
    OrderSet<(), Plain>;
    OrderSet<String, RandomState>;

    // petgraph.
    DiGraph<u64, f64>;
    DiGraph<String, Vec<u8>, u16>;
    UnGraph<(), ()>;
    UnGraph<Aligned, Option<Box<u8>>, u16>;
    Vec<DiGraph<(u64, u8), String>>;
    StableDiGraph<u64, f64>;
    StableDiGraph<String, Vec<u8>, u16>;
    StableUnGraph<(), Option<u8>>;
    StableUnGraph<Aligned, Option<Box<u8>>, u16>;
    Box<StableDiGraph<Vec<StableDiGraph<u8, String>>, bool>>;

    // slab.
    Slab<u8>;
    Slab<()>;
    Slab<String>;
    Slab<Aligned>;
    Slab<(u64, bool)>;
    Slab<Option<Box<u64>>>;
    Vec<Slab<Slab<Vec<u8>>>>;

    // slotmap.
    SlotMap<DefaultKey, u8>;
    SlotMap<DefaultKey, ()>;
    SlotMap<DefaultKey, String>;
    Vec<SlotMap<DefaultKey, SlotMap<DefaultKey, Vec<u8>>>>;
    SlotMap<DefaultKey, Aligned>;
    DenseSlotMap<DefaultKey, u8>;
    DenseSlotMap<DefaultKey, ()>;
    DenseSlotMap<DefaultKey, String>;
    DenseSlotMap<DefaultKey, Aligned>;
    Vec<DenseSlotMap<DefaultKey, DenseSlotMap<DefaultKey, Vec<u8>>>>;
    OldSlotMap<u16>;
    OldSlotMap<String>;
    SecondaryMap<DefaultKey, u8>;
    SecondaryMap<DefaultKey, (u64, bool)>;
    SecondaryMap<DefaultKey, String>;
    SecondaryMap<DefaultKey, Vec<SecondaryMap<DefaultKey, Aligned>>>;
    SparseSecondaryMap<DefaultKey, u8, Plain>;
    SparseSecondaryMap<DefaultKey, String, RandomState>;
    Vec<SparseSecondaryMap<DefaultKey, u64, Seeded>>;

    // thin-vec.
    ThinVec<u8>;
    ThinVec<()>;
    ThinVec<String>;
    ThinVec<(u64, u8)>;
    ThinVec<Aligned>;
    ThinVec<AlignedNothing>;
    Vec<ThinVec<ThinVec<Vec<u8>>>>;

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
