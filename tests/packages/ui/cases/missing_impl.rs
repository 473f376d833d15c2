//! Fields and arguments of types without the trait.

use memprof::MemoryProfile;

struct NoImpl;

struct Neither;

struct Generic<T>(T);

#[derive(MemoryProfile)]
struct Fields {
    name: String,
    //~ error[E0277]: memprof cannot read the memory that `NoImpl` owns
    //~ note: for a type of your own, add `#[derive(memprof::MemoryProfile)]` to it
    //~ note: memprof has features for types from arc-swap, arrayvec, arrow, bytes, candle-core, chrono, compact_str, dashmap, half, hashbrown, http, indexmap, lru, memmap2, moka, ndarray, ordermap, parking_lot, parquet, petgraph, quick_cache, roaring, serde_json, slab, slotmap, smallvec, thin-vec, tokio, url and uuid, such as `indexmap2`
    //~ note: for a type from any other crate, derive a mirror with `#[profile(remote = "path::to::Type")]`, or mark the field `#[profile(with = path)]` or `#[profile(skip)]`
    no_impl: NoImpl,
    //~ error[E0277]: memprof cannot read the memory that `Neither` owns
    neither: Neither,
}

trait Plugin {}

#[derive(MemoryProfile)]
struct Objects {
    //~ error[E0277]: memprof cannot read the memory that `dyn Plugin` owns
    //~ note: for a trait object, make `MemoryProfile` a supertrait, as in `trait Plugin: MemoryProfile`
    plugins: Vec<Box<dyn Plugin>>,
}

#[derive(MemoryProfile)]
struct Argument {
    //~ error[E0277]: memprof cannot read the memory that `NoImpl` owns
    no_impl: Vec<Option<NoImpl>>,
}

#[derive(MemoryProfile)]
//~ error[E0277]: memprof cannot read the memory that `NoImpl` owns
struct Newtype(NoImpl);

#[derive(MemoryProfile)]
//~ error[E0277]: memprof cannot read the memory that `NoImpl` owns
struct Tuple(u8, NoImpl);

#[derive(MemoryProfile)]
enum Variants {
    Empty,
    //~ error[E0277]: memprof cannot read the memory that `NoImpl` owns
    Tuple(NoImpl),
    //~ error[E0277]: memprof cannot read the memory that `NoImpl` owns
    Struct { no_impl: NoImpl },
}

#[derive(MemoryProfile)]
struct FieldWithParameter<T> {
    //~ error[E0277]: memprof cannot read the memory that `Generic<T>` owns
    no_impl: Generic<T>,
}

#[derive(MemoryProfile)]
#[profile(bound = "")]
struct BoundThatIsMissing<T> {
    //~ error[E0277]: memprof cannot read the memory that `T` owns
    values: Vec<T>,
}

#[derive(MemoryProfile)]
struct Model<T> {
    values: Vec<T>,
}

fn type_argument() {
    //~ error[E0277]: memprof cannot read the memory that `NoImpl` owns
    let _ = memprof::total_bytes(&Model { values: vec![NoImpl] });
}
