//! The metadata of a file in parquet's format.

use crate::allocator::owned_by;
use memprof::Profile;
use parquet::file::metadata::{FileMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::SchemaDescriptor;
use std::sync::Arc;

fn metadata(row_groups: usize) -> ParquetMetaData {
    let schema =
        parse_message_type("message schema { REQUIRED INT64 a; OPTIONAL BINARY b (UTF8); }");
    let schema = Arc::new(SchemaDescriptor::new(Arc::new(schema.expect("it is a schema"))));
    let groups = (0..row_groups).map(|_| {
        let columns = schema.columns().iter().map(|column| {
            parquet::file::metadata::ColumnChunkMetaData::builder(column.clone())
                .build()
                .expect("it is a column")
        });
        RowGroupMetaData::builder(schema.clone())
            .set_column_metadata(columns.collect())
            .build()
            .expect("it is a row group")
    });
    let groups = groups.collect();
    let file = FileMetaData::new(1, 0, Some("memprof".to_owned()), None, schema, None);
    ParquetMetaData::new(file, groups)
}

#[test]
fn metadata_is_an_estimate_near_the_allocator() {
    for row_groups in [1, 10, 1_000] {
        let (metadata, owned) = owned_by(|| metadata(row_groups));
        let profile = Profile::of(&metadata);
        assert!(!profile.is_exact());
        let total = profile.total_bytes() - size_of_val(&metadata) as u64;
        // Each row group counts the schema again.
        assert!(total >= owned as u64 / 2, "{total} B instead of {owned} B");
        assert!(total <= owned as u64 * 4, "{total} B instead of {owned} B");
    }
}
