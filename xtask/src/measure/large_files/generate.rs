//! A writer of JSON profiles with a million leaves. It does not use memprof, because memprof's own
//! writer is measured.

use crate::Failure;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) name: &'static str,
    levels: &'static [Level],
}

/// The branches below each branch of the level above: their number, and the start of their names.
#[derive(Clone, Copy, Debug)]
struct Level(u64, &'static str);

pub(super) const SHAPES: [Shape; 2] = [
    Shape { name: "nested", levels: &[Level(100, "table"), Level(2500, "row"), Level(4, "col")] },
    Shape { name: "flat", levels: &[Level(1_000_000, "customer")] },
];

/// Writes a profile. `seed` adds bytes to each leaf.
pub(super) fn write(shape: Shape, seed: u64, path: &Path) -> Result<(), Failure> {
    let mut file = Profile { out: BufWriter::new(File::create(path)?), seed, branches: 1 };
    let total = file.bytes(0, leaves(shape.levels));
    write!(
        file.out,
        "{{\"format\": \"memprof profile\", \"version\": 1, \"total_bytes\": {total}, \
         \"exact\": true,\n\"shared\": {{\"allocations\":0,\"handles\":0,\"bytes\":0,\
         \"bytes_if_unshared\":{total},\"externally_held_bytes\":0}},\n\"branches\": [\n\
         {{\"parent\":null,\"name\":\"{}\",\"bytes\":{total}}}",
        shape.name
    )?;
    file.branches(shape.levels, 0, 0)?;
    file.out.write_all(b"\n]}\n")?;
    Ok(file.out.flush()?)
}

fn leaves(levels: &[Level]) -> u64 {
    levels.iter().map(|level| level.0).product()
}

struct Profile {
    out: BufWriter<File>,
    seed: u64,
    branches: u64,
}

impl Profile {
    /// Writes the branches below a parent. `leaf` is the number of their first leaf.
    fn branches(&mut self, levels: &[Level], parent: u64, leaf: u64) -> Result<(), Failure> {
        let [Level(count, name), below @ ..] = levels else { return Ok(()) };
        // Names in a file are sorted, so all have the same number of digits.
        let digits = (count - 1).to_string().len();
        for index in 0..*count {
            let leaf = leaf + index * leaves(below);
            let bytes = self.bytes(leaf, leaves(below));
            write!(
                self.out,
                ",\n{{\"parent\":{parent},\"name\":\"{name}_{index:0digits$}\",\"bytes\":{bytes}"
            )?;
            if parent == 0 {
                write!(self.out, ",\"counts\":{{\"allocations\":1}}")?;
            }
            if below.is_empty() {
                write!(self.out, ",\"leaves\":[{{\"kind\":\"[data]\",\"bytes\":{bytes}}}]")?;
            }
            self.out.write_all(b"}")?;
            let branch = self.branches;
            self.branches += 1;
            self.branches(below, branch, leaf)?;
        }
        Ok(())
    }

    /// Returns the bytes of leaves: most are small, a few are large, none is 0.
    fn bytes(&self, first: u64, count: u64) -> u64 {
        let bytes = |leaf: u64| {
            let scattered = leaf.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44;
            let large = if scattered.is_multiple_of(997) { scattered } else { 0 };
            1 + self.seed + scattered % 1000 + large
        };
        (first..first + count).map(bytes).sum()
    }
}
