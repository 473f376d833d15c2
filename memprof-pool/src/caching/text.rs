//! The statistics of a pool as a few lines of text.

use super::PoolStatistics;
use core::fmt;
use memprof_profile::text::{counted, percent};
use memprof_profile::views::Units;

const UNITS: Units = Units::Iec;

/// ```text
/// reserved      2.0 MiB  in 1 segment, peak 22.0 MiB
/// allocated   977.0 KiB  peak 3.0 MiB; 2 allocations, 1 free, 0.0 % from the cache
/// cached        1.0 MiB  0 B of it can be released, 52.3 % of the reserved bytes
/// largest       1.0 MiB  the largest free block, 0.0 % fragmented
/// rounding        448 B  added to the requested bytes, 0.0 % of the allocated bytes
/// ```
impl fmt::Display for PoolStatistics {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |out: &mut fmt::Formatter<'_>, name, bytes: u64, note: &str| {
            writeln!(out, "{name:10} {:>10}  {note}", UNITS.show(bytes).to_string())
        };
        let [peak_reserved, peak_allocated, releasable] =
            [self.peak_reserved, self.peak_allocated, self.releasable].map(|it| UNITS.show(it));
        let segments = counted(self.segments, "segment");
        line(out, "reserved", self.reserved, &format!("in {segments}, peak {peak_reserved}"))?;
        let (allocations, frees) =
            (counted(self.allocations, "allocation"), counted(self.frees, "free"));
        let hits = share(self.hit_rate(), " from the cache");
        let refused = match self.out_of_memory {
            0 => String::new(),
            some => format!(", {some} refused: out of memory"),
        };
        let note = format!("peak {peak_allocated}; {allocations}, {frees}{hits}{refused}");
        line(out, "allocated", self.allocated, &note)?;
        let cached = share(self.cached_share(), " of the reserved bytes");
        let note = format!("{releasable} of it can be released{cached}");
        line(out, "cached", self.cached, &note)?;
        let fragmented = share(self.fragmentation(), " fragmented");
        let note = format!("the largest free block{fragmented}");
        line(out, "largest", self.largest_free, &note)?;
        let rounding = share(self.internal_waste_share(), " of the allocated bytes");
        let note = format!("added to the requested bytes{rounding}");
        write!(
            out,
            "{:10} {:>10}  {note}",
            "rounding",
            UNITS.show(self.internal_waste()).to_string()
        )
    }
}

/// Returns the share with a comma before it, or an empty text if the share is undefined.
fn share(share: Option<f64>, of: &str) -> String {
    share.map_or_else(String::new, |share| format!(", {}{of}", percent(share)))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

    use crate::{AddressSpace, CachingPool, MemoryResource, PoolStatistics, Request};
    use expect_test::expect;

    #[test]
    fn figures_are_aligned_and_undefined_shares_are_left_out() {
        let pool = CachingPool::builder(AddressSpace::new()).limit(64 << 20_u64).build();
        let pool = pool.expect("it is an amount");
        let request = Request::new(3 << 20);
        let address = pool.allocate(request).expect("there is room");
        // SAFETY: the memory was just allocated for this request.
        #[expect(unsafe_code, reason = "it is freed")]
        unsafe { pool.deallocate(address, request) }.expect("it is the pool's");
        pool.allocate(Request::new(1_000_000)).expect("there is room");
        drop(pool.allocate(Request::new(1 << 30)));
        expect![[r#"
            reserved      2.0 MiB  in 1 segment, peak 22.0 MiB
            allocated   977.0 KiB  peak 3.0 MiB; 2 allocations, 1 free, 0.0 % from the cache, 1 refused: out of memory
            cached        1.0 MiB  0 B of it can be released, 52.3 % of the reserved bytes
            largest       1.0 MiB  the largest free block, 0.0 % fragmented
            rounding        448 B  added to the requested bytes, 0.0 % of the allocated bytes"#]].assert_eq(&pool.statistics().to_string());
        expect![[r#"
            reserved          0 B  in 0 segments, peak 0 B
            allocated         0 B  peak 0 B; 0 allocations, 0 frees
            cached            0 B  0 B of it can be released
            largest           0 B  the largest free block
            rounding          0 B  added to the requested bytes"#]]
        .assert_eq(&PoolStatistics::default().to_string());
    }
}
