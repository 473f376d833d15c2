//! Logarithmic axes and the marks on them.

use super::Series;

/// Marks of ratios, of which as many are shown as there is room for.
const RATIOS: [f64; 25] = [
    1.0, 2.0, 0.5, 1.5, 0.8, 1.2, 1.1, 0.9, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0, 0.2, 0.1, 1.05,
    0.95, 1000.0, 0.01, 1.02, 0.98, 200.0, 500.0, 0.05,
];
/// The least range of ratios: less would blow up noise.
const LEAST_RATIOS: (f64, f64) = (0.93, 1.1);
/// What is beyond is drawn at the edge.
const MOST_RATIOS: (f64, f64) = (0.01, 1000.0);

/// A range of numbers, by their logarithms.
pub(super) struct Axis {
    low: f64,
    high: f64,
    /// In order of importance.
    marks: Vec<(f64, String)>,
}

impl Axis {
    #[expect(clippy::cast_precision_loss, reason = "a place on a drawing")]
    pub(super) fn of_sizes<'s>(series: impl Iterator<Item = &'s Series<'s>>) -> Self {
        let sizes = series.flat_map(|series| series.timings.iter().map(|(elements, _)| *elements));
        let sizes: Vec<u64> = sizes.map(|elements| elements.max(1)).collect();
        let least = sizes.iter().copied().min().unwrap_or(1);
        let most = sizes.iter().copied().max().unwrap_or(1);
        let powers = (0..20).map(|power| 10_u64.pow(power));
        let marks = powers.filter(|&mark| mark >= least / 2 && mark <= most.saturating_mul(2));
        let marks = marks.map(|mark| (mark as f64, size(mark))).collect();
        Self { low: least as f64 / 2.0, high: most as f64 * 2.0, marks }
    }

    pub(super) fn of_ratios<'s>(series: impl Iterator<Item = &'s Series<'s>>) -> Self {
        let timings = series.flat_map(|series| series.timings.iter().map(|(_, timing)| *timing));
        let ratios = timings.filter_map(|timing| timing.ratio).map(|ratio| ratio.value);
        let (mut low, mut high) = LEAST_RATIOS;
        for ratio in ratios {
            low = low.min(ratio / 1.05).max(MOST_RATIOS.0);
            high = high.max(ratio * 1.05).min(MOST_RATIOS.1);
        }
        let marks = RATIOS.into_iter().filter(|&mark| mark >= low && mark <= high);
        Self { low, high, marks: marks.map(|mark| (mark, format!("{mark}×"))).collect() }
    }

    /// Where a number is between the ends, from 0 to 1; what is beyond them is at the end.
    pub(super) fn place(&self, number: f64) -> f64 {
        let span = (self.high / self.low).ln();
        ((number.max(f64::MIN_POSITIVE) / self.low).ln() / span).clamp(0.0, 1.0)
    }

    /// The marks that are at least so far from each other, as a share of the axis.
    pub(super) fn marks(&self, apart: f64) -> Vec<(f64, &str)> {
        let mut marks: Vec<(f64, &str)> = Vec::new();
        for (number, label) in &self.marks {
            let place = self.place(*number);
            if marks.iter().all(|(other, _)| (other - place).abs() >= apart) {
                marks.push((place, label));
            }
        }
        marks
    }
}

/// A power of ten: `100 K`.
fn size(mark: u64) -> String {
    let units = [(1_000_000_000_000, "T"), (1_000_000_000, "G"), (1_000_000, "M"), (1000, "K")];
    let unit = units.into_iter().find(|&(unit, _)| mark >= unit);
    unit.map_or_else(|| mark.to_string(), |(unit, letter)| format!("{} {letter}", mark / unit))
}
