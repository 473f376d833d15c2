//! Repeated trials with different random numbers, to check the quality of estimates.

use memprof_heap::site::Estimate;

pub(crate) const TRIALS: u64 = 200;

/// Pairs of an estimate and the true amount.
#[derive(Default)]
pub(crate) struct Trials {
    errors: Vec<f64>,
    truth: f64,
    inside: u32,
}

impl Trials {
    pub(crate) fn add(&mut self, estimate: Estimate, truth: u64) {
        let truth = truth as f64;
        let (from, to) = estimate.interval();
        self.inside += u32::from((from..=to).contains(&truth));
        self.errors.push(estimate.value - truth);
        self.truth += truth;
    }

    /// Asserts that chance explains the mean error: it is below 4 of its standard errors.
    pub(crate) fn assert_unbiased(&self, what: &str) {
        let trials = self.errors.len() as f64;
        let mean = self.errors.iter().sum::<f64>() / trials;
        let squares = self.errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>();
        let standard_error = (squares / (trials - 1.0) / trials).sqrt();
        let truth = self.truth / trials;
        println!("{what}: {mean:.0} ± {standard_error:.0} of {truth:.0}, {} inside", self.inside);
        assert!(standard_error < truth / 30.0, "{what}: such estimates are too imprecise");
        assert!(mean.abs() < 4.0 * standard_error, "{what}: {mean} ± {standard_error} of {truth}");
    }

    /// Asserts that about 95 of 100 intervals contain the true amount.
    pub(crate) fn assert_covered(&self, what: &str) {
        let share = f64::from(self.inside) / self.errors.len() as f64;
        assert!((0.90..=0.98).contains(&share), "{what}: {share}");
    }
}
