//! A writer of JSON profiles with a million leaves. It does not use memprof, because memprof's own
//! writer is measured.

use crate::Failure;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// The arrangement of the million names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// 100 tables of 2,500 rows of 4 columns.
    Nested,
    /// One map of a million keys.
    Flat,
}

const TABLES: u64 = 100;
const ROWS: u64 = 2500;
const COLUMNS: [&str; 4] = ["bounds", "id", "name", "samples"];
const KEYS: u64 = 1_000_000;

impl Shape {
    pub(crate) const ALL: [Self; 2] = [Self::Nested, Self::Flat];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Nested => "nested",
            Self::Flat => "flat",
        }
    }
}

/// Writes a profile. `seed` adds bytes to each leaf.
pub(crate) fn write(shape: Shape, seed: u64, path: &Path) -> Result<(), Failure> {
    let mut out = BufWriter::new(File::create(path)?);
    match shape {
        Shape::Nested => nested(seed, &mut out)?,
        Shape::Flat => flat(seed, &mut out)?,
    }
    Ok(out.flush()?)
}

fn head(root: &str, total: u64, out: &mut impl Write) -> std::io::Result<()> {
    write!(
        out,
        "{{\"format\": \"memprof profile\", \"version\": 1, \"total_bytes\": {total}, \
         \"exact\": true,\n\"shared\": {{\"allocations\":0,\"handles\":0,\"bytes\":0,\
         \"bytes_if_unshared\":{total},\"externally_held_bytes\":0}},\n\"branches\": [\n\
         {{\"parent\":null,\"name\":\"{root}\",\"bytes\":{total}}}"
    )
}

fn flat(seed: u64, out: &mut impl Write) -> std::io::Result<()> {
    let bytes = |key| leaf(key, seed);
    let total = (0..KEYS).map(bytes).sum();
    head("map", total, out)?;
    for key in 0..KEYS {
        let bytes = bytes(key);
        write!(
            out,
            ",\n{{\"parent\":0,\"name\":\"customer_{key:07}\",\"bytes\":{bytes},\
             \"counts\":{{\"allocations\":1}},\"leaves\":[{{\"kind\":\"[data]\",\"bytes\":{bytes}}}]}}"
        )?;
    }
    out.write_all(b"\n]}\n")
}

fn nested(seed: u64, out: &mut impl Write) -> std::io::Result<()> {
    let columns = COLUMNS.len() as u64;
    let row = |row| (0..columns).map(|column| leaf(row * columns + column, seed)).sum::<u64>();
    let table = |table| (0..ROWS).map(|index| row(table * ROWS + index)).sum::<u64>();
    let total = (0..TABLES).map(table).sum();
    head("database", total, out)?;
    for t in 0..TABLES {
        let table_number = 1 + t * (1 + ROWS * (1 + columns));
        let bytes = table(t);
        write!(
            out,
            ",\n{{\"parent\":0,\"name\":\"table_{t:02}\",\"bytes\":{bytes},\
             \"counts\":{{\"values\":{ROWS},\"allocations\":1}}}}"
        )?;
        for r in 0..ROWS {
            let row_number = table_number + 1 + r * (1 + columns);
            let bytes = row(t * ROWS + r);
            write!(
                out,
                ",\n{{\"parent\":{table_number},\"name\":\"row_{r:04}\",\"bytes\":{bytes}}}"
            )?;
            for (c, column) in COLUMNS.iter().enumerate() {
                let bytes = leaf((t * ROWS + r) * columns + c as u64, seed);
                write!(
                    out,
                    ",\n{{\"parent\":{row_number},\"name\":\"{column}\",\"bytes\":{bytes},\
                     \"leaves\":[{{\"kind\":\"[data]\",\"bytes\":{bytes}}}]}}"
                )?;
            }
        }
    }
    out.write_all(b"\n]}\n")
}

/// Returns the bytes of a leaf: most are small, a few are large, none is 0.
fn leaf(number: u64, seed: u64) -> u64 {
    let scattered = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44;
    1 + seed + scattered % 1000 + if scattered.is_multiple_of(997) { scattered } else { 0 }
}
