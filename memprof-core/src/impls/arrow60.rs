//! arrow 60: arrays, schemas and batches over buffers that several arrays may share.
//!
//! A buffer exposes its start, its size and its number of views. It does not expose whether arrow
//! or another library allocated it. So its bytes are an estimate, which is right if arrow allocated
//! them.
#![expect(unsafe_code, reason = "a buffer does not expose its header")]

use crate::MemoryProfile;
use crate::impls::std::scalar::impl_flat;
use crate::impls::std::shared::add_counts;
use crate::impls::std::shared::identity;
use crate::impls::std::wrapper::{frames, holders};
use crate::layout::observed::Observed;
use crate::layout::word::{Frozen, LOWEST_ADDRESS, WORD, index_of_other, words_of_frozen};
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Position, Shape, Walk};
use arrow_array::types::{
    ArrowDictionaryKeyType, ArrowPrimitiveType, ByteArrayType, ByteViewType, RunEndIndexType,
};
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, FixedSizeBinaryArray, FixedSizeListArray,
    GenericByteArray, GenericByteViewArray, GenericListArray, GenericListViewArray, MapArray,
    NullArray, OffsetSizeTrait, PrimitiveArray, RecordBatch, RunArray, StructArray, UnionArray,
    types,
};
use arrow_buffer::{
    ArrowNativeType, BooleanBuffer, Buffer, MutableBuffer, NullBuffer, OffsetBuffer, RunEndBuffer,
    ScalarBuffer,
};
use arrow_schema::{
    DataType, Field, FieldRef, Fields, IntervalUnit, Metadata, Schema, TimeUnit, UnionFields,
    UnionMode,
};

impl MemoryProfile for Buffer {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let (strong, capacity) = (self.strong_count(), self.capacity());
        walk.shared(
            at,
            identity_of_buffer(self),
            || strong,
            |walk, at| {
                add_counts(walk, at);
                walk.leaf(at, LeafKind::Inline, HEADER);
                walk.count_allocations(at, 1);
                if let Some(header) = header_of(self) {
                    walk.block(header);
                }
                walk.block_of(self.data_ptr().addr().get(), capacity);
                walk.count_allocations(at, usize::from(capacity != 0));
                if strong == 1 {
                    let used = self.len().min(capacity);
                    walk.estimated(at, LeafKind::Data, used);
                    walk.estimated(at, LeafKind::Spare, capacity - used);
                    // `shrink_to_fit` keeps the bytes before the window.
                    let kept = if self.is_empty() { 0 } else { self.ptr_offset() + self.len() };
                    walk.shrinkable(at, capacity, capacity.saturating_sub(kept));
                } else {
                    // Other arrays may use the rest of the buffer.
                    walk.estimated(at, LeafKind::Data, capacity);
                }
                if capacity == 0 && self.data_ptr().addr().get() >= LOWEST_ADDRESS {
                    // A zero-byte estimate leaves no mark, but the pointer may lead to memory that
                    // another library allocated.
                    walk.opaque(at, OpaqueReason::Foreign);
                }
            },
        );
    }
}

impl MemoryProfile for MutableBuffer {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let (used, capacity) = (self.len(), self.capacity());
        walk.count_allocations(at, usize::from(capacity != 0));
        walk.leaf(at, LeafKind::Data, used);
        walk.leaf(at, LeafKind::Spare, capacity - used);
        let kept = used.next_multiple_of(ROUNDING);
        walk.shrinkable(at, capacity, capacity.saturating_sub(kept));
        walk.block_of(self.as_ptr().addr(), self.capacity());
        if size_of::<Self>() != PLAIN {
            walk.opaque(at, OpaqueReason::Foreign);
        }
    }
}

// The untyped buffer inside each typed one.
holders! {
    [T: ArrowNativeType] ScalarBuffer<T> => Buffer: |buffer| Some(buffer.inner());
    [T: ArrowNativeType] OffsetBuffer<T> => Buffer: |buffer| Some(buffer.inner());
    [T: ArrowNativeType] RunEndBuffer<T> => Buffer: |buffer| Some(buffer.inner());
    [] BooleanBuffer => Buffer: |buffer| Some(buffer.inner());
    [] NullBuffer => Buffer: |buffer| Some(buffer.inner());
}

/// Implements `MemoryProfile` for types whose named parts may own memory: a value after `:`, or an
/// expression that adds the part after `=>`. The inline bytes are one leaf.
macro_rules! parts {
    ($([$($generics:tt)*] $whole:ty: |$name:ident| {
        $($part:ident $(: $value:expr)? $(=> |$walk:ident, $at:ident| $add:expr)?,)*
    })*) => {$(
        impl<$($generics)*> MemoryProfile for $whole {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                let $name = self;
                let fields = walk.fields(at, Self::shape());
                let mut index = 0;
                $(
                    $(if let Some(part) = $value {
                        part.owned(walk, fields.at(index));
                    })?
                    $({
                        let ($walk, $at) = (&mut *walk, fields.at(index));
                        $add;
                    })?
                    index += 1;
                )*
                let _ = index;
            }

            fn shape() -> &'static Shape {
                frames!($(stringify!($part)),*)
            }
        }
    )*};
}

parts! {
    [T: ArrowPrimitiveType] PrimitiveArray<T>: |array| {
        data_type: Some(array.data_type()),
        values: Some(array.values()),
        nulls: array.nulls(),
    }
    [] BooleanArray: |array| {
        values: Some(array.values()),
        nulls: array.nulls(),
    }
    [T: ByteArrayType] GenericByteArray<T>: |array| {
        offsets: Some(array.offsets()),
        values: Some(array.values()),
        nulls: array.nulls(),
    }
    [T: ByteViewType + ?Sized] GenericByteViewArray<T>: |array| {
        views: Some(array.views()),
        buffers: Some(array.data_buffers()),
        nulls: array.nulls(),
    }
    [] FixedSizeBinaryArray: |array| {
        values: Some(array.values()),
        nulls: array.nulls(),
    }
    [K: ArrowDictionaryKeyType] DictionaryArray<K>: |array| {
        data_type: Some(array.data_type()),
        keys: Some(array.keys()),
        values: Some(array.values()),
    }
    [R: RunEndIndexType] RunArray<R>: |array| {
        data_type: Some(array.data_type()),
        run_ends: Some(array.run_ends()),
        values: Some(array.values()),
    }
    [O: OffsetSizeTrait] GenericListArray<O>: |array| {
        data_type: Some(array.data_type()),
        offsets: Some(array.offsets()),
        values: Some(array.values()),
        nulls: array.nulls(),
    }
    [O: OffsetSizeTrait] GenericListViewArray<O>: |array| {
        data_type: Some(array.data_type()),
        offsets: Some(array.offsets()),
        sizes: Some(array.sizes()),
        values: Some(array.values()),
        nulls: array.nulls(),
    }
    [] FixedSizeListArray: |array| {
        data_type: Some(array.data_type()),
        values: Some(array.values()),
        nulls: array.nulls(),
    }
    [] StructArray: |array| {
        data_type: Some(array.data_type()),
        columns => |walk, at| add_columns(array.columns(), walk, at),
        nulls: array.nulls(),
    }
    [] UnionArray: |array| {
        data_type: Some(array.data_type()),
        type_ids: Some(array.type_ids()),
        offsets: array.offsets(),
        columns => |walk, at| add_union_columns(array, walk, at),
    }
    [] RecordBatch: |batch| {
        schema: Some(batch.schema_ref()),
        columns => |walk, at| add_columns(batch.columns(), walk, at),
    }
    [] MapArray: |array| {
        data_type: Some(array.data_type()),
        offsets: Some(array.offsets()),
        entries: Some(array.entries()),
        nulls: array.nulls(),
    }
    [] Field: |field| {
        name: Some(field.name()),
        data_type: Some(field.data_type()),
        metadata: Some(field.metadata()),
    }
    [] Schema: |schema| {
        fields: Some(&schema.fields),
        metadata: Some(&schema.metadata),
    }
    [] Metadata: |metadata| {
        entries: metadata.as_arc(),
    }
}

/// The capacity is not public, so the length counts as the capacity.
fn add_columns<'a>(columns: &'a [ArrayRef], walk: &mut Walk<'a>, at: Position) {
    walk.count_values(at, columns.len());
    walk.count_allocations(at, usize::from(!columns.is_empty()));
    walk.block_of(columns.as_ptr().addr(), size_of_val(columns));
    walk.leaves(at, [(LeafKind::Inline, size_of_val(columns))], false);
    columns.owned(walk, at);
}

/// Each column is stored at the index of its type id, so there may be gaps between columns.
fn add_union_columns<'a>(array: &'a UnionArray, walk: &mut Walk<'a>, at: Position) {
    let columns = array.fields();
    let slot = |number: i8| usize::from(number.unsigned_abs()) + 1;
    let slots = columns.iter().map(|(number, _)| slot(number)).max().unwrap_or(0);
    walk.count_allocations(at, usize::from(slots != 0));
    walk.count_values(at, columns.len());
    walk.estimated(at, LeafKind::Inline, slots * UNION_COLUMN);
    walk.values(columns.iter().map(|(number, _)| array.child(number)), at);
}

/// Implements `MemoryProfile` for `dyn Array` by downcasting to one type after the other.
macro_rules! any_array {
    ($($array:ty,)*) => {
        impl MemoryProfile for dyn Array {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                let any = self.as_any();
                $(
                    if let Some(array) = any.downcast_ref::<$array>() {
                        array.owned(walk, at);
                        return;
                    }
                )*
                walk.opaque(at, OpaqueReason::Foreign);
            }
        }
    };
}

any_array! {
    PrimitiveArray<types::Float64Type>, PrimitiveArray<types::Int64Type>,
    PrimitiveArray<types::Float32Type>, PrimitiveArray<types::Int32Type>,
    GenericByteArray<types::Utf8Type>, GenericByteArray<types::LargeUtf8Type>,
    GenericByteViewArray<types::StringViewType>, GenericByteViewArray<types::BinaryViewType>,
    GenericByteArray<types::BinaryType>, GenericByteArray<types::LargeBinaryType>,
    BooleanArray, StructArray, FixedSizeBinaryArray, FixedSizeListArray, MapArray, UnionArray,
    NullArray,
    GenericListArray<i32>, GenericListArray<i64>,
    GenericListViewArray<i32>, GenericListViewArray<i64>,
    PrimitiveArray<types::Int8Type>, PrimitiveArray<types::Int16Type>,
    PrimitiveArray<types::UInt8Type>, PrimitiveArray<types::UInt16Type>,
    PrimitiveArray<types::UInt32Type>, PrimitiveArray<types::UInt64Type>,
    PrimitiveArray<types::Float16Type>,
    PrimitiveArray<types::TimestampNanosecondType>, PrimitiveArray<types::TimestampMicrosecondType>,
    PrimitiveArray<types::TimestampMillisecondType>, PrimitiveArray<types::TimestampSecondType>,
    PrimitiveArray<types::Date32Type>, PrimitiveArray<types::Date64Type>,
    PrimitiveArray<types::Time32SecondType>, PrimitiveArray<types::Time32MillisecondType>,
    PrimitiveArray<types::Time64MicrosecondType>, PrimitiveArray<types::Time64NanosecondType>,
    PrimitiveArray<types::DurationSecondType>, PrimitiveArray<types::DurationMillisecondType>,
    PrimitiveArray<types::DurationMicrosecondType>, PrimitiveArray<types::DurationNanosecondType>,
    PrimitiveArray<types::IntervalYearMonthType>, PrimitiveArray<types::IntervalDayTimeType>,
    PrimitiveArray<types::IntervalMonthDayNanoType>,
    PrimitiveArray<types::Decimal32Type>, PrimitiveArray<types::Decimal64Type>,
    PrimitiveArray<types::Decimal128Type>, PrimitiveArray<types::Decimal256Type>,
    DictionaryArray<types::Int8Type>, DictionaryArray<types::Int16Type>,
    DictionaryArray<types::Int32Type>, DictionaryArray<types::Int64Type>,
    DictionaryArray<types::UInt8Type>, DictionaryArray<types::UInt16Type>,
    DictionaryArray<types::UInt32Type>, DictionaryArray<types::UInt64Type>,
    RunArray<types::Int16Type>, RunArray<types::Int32Type>, RunArray<types::Int64Type>,
    // The trait object may itself be a handle.
    ArrayRef,
}

impl_flat! { IntervalUnit, NullArray, TimeUnit, UnionMode }

impl MemoryProfile for DataType {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        match self {
            Self::Timestamp(_, zone) => zone.owned(walk, at),
            Self::List(field)
            | Self::ListView(field)
            | Self::FixedSizeList(field, _)
            | Self::LargeList(field)
            | Self::LargeListView(field)
            | Self::Map(field, _) => field.owned(walk, at),
            Self::Struct(fields) => fields.owned(walk, at),
            Self::Union(fields, _) => fields.owned(walk, at),
            Self::Dictionary(keys, values) => {
                keys.owned(walk, at);
                values.owned(walk, at);
            }
            Self::RunEndEncoded(ends, values) => {
                ends.owned(walk, at);
                values.owned(walk, at);
            }
            _ => {}
        }
    }
}

impl MemoryProfile for Fields {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let fields: &[FieldRef] = self;
        walk.shared(
            at,
            identity(fields.as_ptr()),
            || 0,
            |walk, at| {
                walk.block(identity(fields.as_ptr()));
                add_list(fields.len(), size_of_val(fields), walk, at);
                fields.owned(walk, at);
            },
        );
    }
}

impl MemoryProfile for UnionFields {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        // Without fields, the address of the list is unknown, so the list may already be counted.
        if let Some(first) = (!self.is_empty()).then(|| &self[0]) {
            let bytes = self.len() * UNION_FIELD;
            walk.shared(
                at,
                identity(first),
                || 0,
                |walk, at| {
                    walk.block(identity(first));
                    add_list(self.len(), bytes, walk, at);
                    let fields = self.iter().map(|(_, field)| field);
                    walk.values(fields, at);
                },
            );
        } else {
            walk.opaque(at, OpaqueReason::Foreign);
        }
    }
}

/// Adds the list's own bytes and the reference counts in front of them.
fn add_list(len: usize, bytes: usize, walk: &mut Walk<'_>, at: Position) {
    add_counts(walk, at);
    walk.leaf(at, LeafKind::Inline, bytes);
    walk.count_allocations(at, 1);
    walk.count_values(at, len);
}

/// The bytes of the header after the counts: the address, the length and the way to free the
/// memory. The header is one word larger than a mutable buffer. Both have one more field if arrow
/// is compiled with memory pools.
///
/// The size is not public. This is the layout of arrow 60 with any compiler, because it consists of
/// words without padding.
const HEADER: usize = size_of::<MutableBuffer>() + WORD;

/// The bytes of a mutable buffer without memory pools.
const PLAIN: usize = 4 * WORD;

/// The unit to which arrow rounds the capacity of a buffer when it shrinks.
const ROUNDING: usize = 64;

/// The bytes of one column slot in a union.
///
/// The number of slots is not public, so the caller marks the bytes as an estimate.
const UNION_COLUMN: usize = size_of::<Option<ArrayRef>>();

/// The bytes of one field in a union's list, which is in an `Arc`, after its two counts.
const UNION_FIELD: usize = size_of::<(i8, FieldRef)>();

/// The address of the header, or of the data if the header is not found.
fn identity_of_buffer(buffer: &Buffer) -> usize {
    header_of(buffer).unwrap_or_else(|| buffer.data_ptr().addr().get())
}

fn header_of(buffer: &Buffer) -> Option<usize> {
    static INDEX: Observed<Option<usize>> = Observed::new();
    let index = INDEX.get_or_init(|| {
        let known = Buffer::from(&[1_u8, 2, 3]).slice_with_length(1, 2);
        index_of_other(&words_of_buffer(&known)?, &[known.as_ptr().addr(), known.len()])
    });
    index.and_then(|index| Some(words_of_buffer(buffer)?[index]))
}

// SAFETY: a buffer changes only through a unique reference.
unsafe impl Frozen for Buffer {}

/// Reads the three words of a buffer: the header's address, the start and the length.
fn words_of_buffer(buffer: &Buffer) -> Option<[usize; 3]> {
    words_of_frozen(buffer)
}
