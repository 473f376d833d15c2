//! Reduction of the points of a curve that keeps its peaks and valleys.

use super::Amount;

pub(in super::super) type Point<'s> = (u64, Amount<'s>);

/// More than the pixels of a screen, even after zooming in.
const MAX_POINTS: usize = 65_536;
/// The first, the last, the smallest, the largest and one unknown.
const POINTS_PER_BUCKET: usize = 5;

/// Reduces the points, which are in chronological order, to at most [`MAX_POINTS`]. Returns
/// `true` if some were left out.
pub(super) fn thin(points: Vec<Point<'_>>) -> (Vec<Point<'_>>, bool) {
    if points.len() <= MAX_POINTS {
        return (points, false);
    }
    let buckets = MAX_POINTS / POINTS_PER_BUCKET;
    let mut kept = Vec::with_capacity(MAX_POINTS);
    for bucket in points.chunks(points.len().div_ceil(buckets)) {
        let amount = |index: &usize| bucket[*index].1;
        let known_indices = || (0..bucket.len()).filter(|index| amount(index).is_ok());
        let unknown_index = (0..bucket.len()).find(|index| amount(index).is_err());
        let mut indices: Vec<usize> = [Some(0), Some(bucket.len() - 1), unknown_index]
            .into_iter()
            .chain([known_indices().min_by_key(amount), known_indices().max_by_key(amount)])
            .flatten()
            .collect();
        indices.sort_unstable();
        indices.dedup();
        kept.extend(indices.into_iter().map(|index| bucket[index]));
    }
    (kept, true)
}

#[cfg(test)]
mod tests {
    use super::{MAX_POINTS, Point, thin};

    #[test]
    fn a_curve_of_a_million_points_keeps_its_ends_peaks_valleys_and_gaps() {
        let mut points: Vec<Point<'_>> = (0..1_000_000).map(|at| (at, Ok(500))).collect();
        points[123_456].1 = Ok(9_999);
        points[654_321].1 = Ok(-1);
        points[777_777].1 = Err("locked");
        let (kept, thinned) = thin(points.clone());
        assert!(thinned && kept.len() <= MAX_POINTS, "{}", kept.len());
        for index in [0, 123_456, 654_321, 777_777, 999_999] {
            assert!(kept.contains(&points[index]), "{index}");
        }
        assert!(kept.is_sorted_by_key(|point| point.0));
    }

    #[test]
    fn a_curve_of_few_points_stays_as_it_is() {
        let points: Vec<Point<'_>> = (0..MAX_POINTS as u64).map(|at| (at, Err("locked"))).collect();
        assert_eq!(thin(points.clone()), (points, false));
    }
}
