//! Estimates as whole numbers that add up to the rounded sum.

use memprof_recording::document::Estimate;

/// Rounds amounts one by one so that they add up to their rounded sum. Each result is off by less
/// than one. If each were rounded alone, a thousand amounts could be off by 500 in total.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shares {
    sum: f64,
    total: u64,
}

impl Shares {
    /// Returns the next amount as a whole number. Negative amounts and NaN count as 0.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the sum is not negative; what is above 2^64 stays there"
    )]
    pub(super) fn next(&mut self, estimate: Estimate) -> u64 {
        // `max` returns 0.0 for NaN.
        self.sum += estimate.value.max(0.0);
        let rounded = self.sum.round() as u64;
        let share = rounded.saturating_sub(self.total);
        self.total = rounded;
        share
    }
}

#[cfg(test)]
mod tests {
    use super::{Estimate, Shares};

    #[test]
    fn shares_add_up_to_the_rounded_sum_and_are_less_than_one_off() {
        let cases: [&[f64]; 7] = [
            &[],
            &[0.4, 0.4, 0.4],
            &[0.5; 7],
            &[1_048_576.25, 0.0, 3.5, 999.999, 1e12 + 0.75],
            &[9_007_199_254_740_993.0, 0.3, 0.3],
            &[f64::NAN, -5.0, 2.0],
            &[1e300, 7.0],
        ];
        for amounts in cases {
            let mut shares = Shares::default();
            let rounded: Vec<u64> =
                amounts.iter().map(|&value| shares.next(Estimate::new(value, 0.0, 1))).collect();
            let real: Vec<f64> = amounts.iter().map(|value| value.max(0.0)).collect();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "as above")]
            let whole = real.iter().sum::<f64>().round() as u64;
            assert_eq!(rounded.iter().sum::<u64>(), whole, "{amounts:?}");
            #[expect(clippy::cast_precision_loss, reason = "they are small, or not compared")]
            let off = |(share, real): (&u64, &f64)| (*share as f64 - real).abs() < 1.0;
            assert!(whole > 1 << 60 || rounded.iter().zip(&real).all(off), "{rounded:?}");
        }
    }
}
