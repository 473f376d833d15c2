//! Arrays over buffers. Their totals are right, but marked as estimates, because another library
//! may own a buffer.

use crate::allocator::{blocks_of, owned_by};
use crate::asserted::assert_exact;
use crate::blocks::complaint;
use crate::random::Random;
use crate::values::Value;
use arrow_array::builder::{
    BooleanBuilder, Int32Builder, ListBuilder, MapBuilder, StringBuilder, StringDictionaryBuilder,
    StringViewBuilder,
};
use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, FixedSizeListArray, Float64Array, Int32Array,
    Int64Array, ListArray, MapArray, NullArray, RecordBatch, RunArray, StringArray, StructArray,
    TimestampNanosecondArray,
};
use arrow_buffer::{Buffer, MutableBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Fields, Metadata, Schema, TimeUnit};
use memprof::{MemoryProfile, Profile};
use std::sync::Arc;

/// Creates a value, and compares its total with the allocator's count, although the total is an
/// estimate.
///
/// Also compares the reported addresses of another such value with its blocks.
#[track_caller]
fn assert_counted<T: MemoryProfile>(mut make: impl FnMut() -> T) -> T {
    let (other, blocks) = blocks_of(&mut make);
    assert_eq!(complaint(&other, &blocks), None);
    let (value, owned) = owned_by(make);
    let profile = Profile::of(&value);
    assert!(!profile.is_exact(), "{profile:?}");
    let expected = owned as u64 + size_of::<T>() as u64;
    assert_eq!(profile.total_bytes(), expected, "{profile:?}");
    value
}

#[test]
fn buffers_that_arrow_allocated_are_counted_to_the_byte() {
    assert_counted(|| Buffer::from_vec(vec![1_u64; 100]));
    assert_counted(|| Buffer::from(&[1_u8; 100]));
    assert_counted(|| (0..17).collect::<ScalarBuffer<i32>>());
    assert_counted(|| {
        let mut spacious: Vec<u32> = Vec::with_capacity(99);
        spacious.push(1);
        Buffer::from_vec(spacious)
    });
    assert_exact(|| MutableBuffer::with_capacity(100));
    assert_exact(|| Buffer::from_vec(Vec::<u64>::new()));
}

#[test]
fn views_of_a_buffer_count_it_once() {
    let views = assert_counted(|| {
        let buffer = Buffer::from_vec(vec![1_u64; 100]);
        [buffer.slice(8), buffer.slice_with_length(80, 16), buffer.clone(), buffer]
    });
    let shared = Profile::of(&views).shared();
    assert_eq!((shared.allocations, shared.handles, shared.externally_held_bytes), (1, 4, 0));
    let held = Profile::of(&views[..2]).shared();
    assert!(held.externally_held_bytes > 800);
}

#[test]
fn empty_buffers_are_distinct() {
    assert_exact(|| [Buffer::default(), Buffer::from_vec(Vec::<u64>::new())]);
}

#[test]
fn memory_of_another_library_is_an_estimate() {
    let foreign = Buffer::from(bytes::Bytes::from_static(b"not on the heap"));
    let profile = Profile::of(&foreign);
    assert!(!profile.is_exact());
    assert_eq!(profile.total_bytes(), 24 + 16 + 40 + 15);
}

#[test]
fn arrays_are_counted_to_the_byte() {
    assert_counted(|| Int32Array::from_iter_values(0..1000));
    assert_counted(|| Int64Array::from(vec![Some(1), None, Some(3)]));
    assert_counted(|| BooleanArray::from(vec![Some(true), None, Some(false)]));
    assert_counted(|| StringArray::from(vec![Some("a"), None, Some("some text")]));
    assert_counted(|| TimestampNanosecondArray::from(vec![1, 2]).with_timezone("Europe/Berlin"));
    assert_counted(|| Float64Array::from(vec![0.5; 100]).slice(10, 20));
    assert_exact(|| NullArray::new(7));
}

/// Returns a map with one entry.
fn map() -> MapArray {
    let mut builder = MapBuilder::new(None, StringBuilder::new(), BooleanBuilder::new());
    builder.keys().append_value("key");
    builder.values().append_value(true);
    builder.append(true).expect("as many keys as values");
    builder.finish()
}

/// Returns a dictionary with some keys.
fn dictionary() -> DictionaryArray<Int8Type> {
    let mut builder = StringDictionaryBuilder::new();
    for text in ["red", "green", "red", "blue"] {
        builder.append_value(text);
    }
    builder.finish()
}

#[test]
fn built_arrays_are_counted_to_the_byte() {
    // The first builder of the process creates a seed that stays allocated.
    drop(dictionary());
    assert_counted(dictionary);
    assert_counted(|| {
        let mut builder = ListBuilder::new(Int32Builder::new());
        for number in 0..20 {
            builder.values().append_slice(&[number, 2, 3]);
            builder.append(number % 3 != 0);
        }
        builder.finish()
    });
    assert_counted(|| {
        let mut builder = StringViewBuilder::new();
        for text in ["short", "a text that is too long for a view"] {
            builder.append_value(text);
        }
        builder.finish()
    });
    assert_counted(|| {
        RunArray::<Int32Type>::try_new(
            &Int32Array::from(vec![2, 5]),
            &StringArray::from(vec!["a", "b"]),
        )
        .expect("the ends rise")
    });
    assert_counted(|| {
        let field = Arc::new(Field::new("item", DataType::Int32, false));
        FixedSizeListArray::new(field, 2, Arc::new(Int32Array::from(vec![1, 2, 3, 4])), None)
    });
}

#[test]
fn arrays_behind_the_trait_are_counted_to_the_byte() {
    assert_counted(|| Arc::new(Int32Array::from(vec![1, 2, 3])) as ArrayRef);
    let lists: ArrayRef = assert_counted(|| {
        let data = [Some(vec![Some(1), None]), None, Some(vec![Some(3)])];
        Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(data)) as ArrayRef
    });
    let folded = Profile::named("lists", &lists).to_folded();
    assert!(folded.contains("offsets"), "{folded}");
}

fn batch(rows: i32) -> RecordBatch {
    let schema = Schema::new(vec![
        Field::new("number", DataType::Int32, false),
        Field::new("text", DataType::Utf8, true),
    ]);
    let numbers = Int32Array::from_iter_values(0..rows);
    let texts = (0..rows).map(|row| Some(row.to_string())).collect::<StringArray>();
    RecordBatch::try_new(Arc::new(schema), vec![Arc::new(numbers), Arc::new(texts)])
        .expect("columns of one length")
}

#[test]
fn batches_are_counted_to_the_byte_and_shared_buffers_once() {
    assert_counted(|| batch(100));
    let slices = assert_counted(|| {
        let batch = batch(1_000);
        vec![batch.slice(0, 10), batch.slice(10, 10), batch.clone(), batch]
    });
    // Arrow does not expose the number of handles to the fields of a schema. All else is freed.
    let shared = Profile::of(&slices).shared();
    assert!(shared.is_upper_bound && shared.externally_held_bytes < 300, "{shared:?}");
}

#[test]
fn columns_of_columns_are_counted_to_the_byte() {
    assert_counted(|| {
        let fields = Fields::from(vec![Field::new("inner", DataType::Int32, false)]);
        StructArray::new(fields, vec![Arc::new(Int32Array::from(vec![1, 2, 3]))], None)
    });
}

#[test]
fn spare_slots_for_columns_are_not_visible() {
    // The columns are collected into the memory of their larger source elements.
    let (map, owned) = owned_by(map);
    let profile = Profile::of(&map);
    let total = owned as u64 + size_of::<MapArray>() as u64;
    assert!(!profile.is_exact() && profile.total_bytes() < total, "{profile:?}");
    assert!(total - profile.total_bytes() < 512, "{profile:?}");
}

#[test]
fn schemas_are_exact() {
    assert_exact(|| {
        let metadata: Metadata = [("key", "value"), ("other", "value")].into();
        let zoned = DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into()));
        let list = DataType::List(Arc::new(Field::new("item", zoned, true)));
        let coded = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8));
        Schema::new(vec![
            Field::new("list", list, false).with_metadata(metadata.clone()),
            Field::new("coded", coded, false),
        ])
        .with_metadata(metadata)
    });
    assert_exact(|| DataType::Int32);
    assert_exact(Metadata::new);
}

#[test]
fn random_arrays_are_counted_to_the_byte() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        assert_counted(|| {
            let mut numbers = Vec::<Option<i64>>::random(&mut random);
            numbers.push(None);
            let array = numbers.into_iter().collect::<Int64Array>();
            let start = random.below(array.len() + 1);
            (array.slice(start, array.len() - start), array)
        });
    }
}
