//! The comparison of a profile with budgets.

use crate::Profile;
use crate::budget::exceeded::Failure;
use crate::budget::{Budget, BudgetExceeded};

/// # Budgets
impl Profile {
    /// Checks the profile against a budget, and each given path against its own budget.
    ///
    /// In tests, use [`assert_budget!`](crate::assert_budget).
    ///
    /// ```
    /// use memprof::testing::Budget;
    /// use memprof::Profile;
    ///
    /// let profile = Profile::named("pair", &(vec![0_u8; 1000], [0_u8; 8]));
    /// let kib = Budget::of_bytes(1024);
    /// assert!(profile.check_budget(kib, &[("0", kib)]).is_err());
    /// assert!(profile.check_budget(2000_u64.into(), &[("0", kib)]).is_ok());
    /// ```
    ///
    /// # Errors
    /// Returns an error if a budget is exceeded or a path does not exist.
    ///
    /// # Cost
    /// Takes the time of [`bytes_at`](Self::bytes_at) for each path. Errors also format the tree.
    pub fn check_budget(
        &self,
        whole: Budget,
        paths: &[(&str, Budget)],
    ) -> Result<(), BudgetExceeded> {
        let exceeds = |path: Option<&str>, bytes: u64, budget: Budget| {
            (bytes > budget.bytes()).then(|| Failure::over(path, bytes, budget))
        };
        let mut failures = Vec::from_iter(exceeds(None, self.total_bytes(), whole));
        for &(path, budget) in paths {
            match self.try_bytes_at(path) {
                Ok(bytes) => failures.extend(exceeds(Some(path), bytes, budget)),
                Err(error) => failures.push(Failure::NoPath(error)),
            }
        }
        if failures.is_empty() {
            return Ok(());
        }
        Err(BudgetExceeded::new(self, failures))
    }
}
