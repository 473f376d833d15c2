//! The array: numbers with a unit and, on request, their uncertainty.

use crate::unit::Unit;
use memprof::MemoryProfile;
use std::collections::TryReserveError;
use std::fmt;
use std::sync::Arc;

/// Numbers in a unit.
#[derive(Clone, Debug, MemoryProfile)]
pub(crate) struct Array {
    pub(crate) data: Vec<f64>,
    #[profile(role = "metadata")]
    pub(crate) unit: Arc<Unit>,
    /// The standard deviation of each number.
    #[profile(role = "auxiliary")]
    pub(crate) uncertainty: Option<Vec<f64>>,
}

/// The reason why two arrays have no sum.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum AddError {
    Dimension,
    Length,
}

impl Array {
    pub(crate) fn new(data: Vec<f64>, unit: &Arc<Unit>) -> Self {
        Self { data, unit: Arc::clone(unit), uncertainty: None }
    }

    /// Returns zeros, or an error if the operating system refuses the memory.
    pub(crate) fn zeros(len: usize, unit: &Arc<Unit>) -> Result<Self, TryReserveError> {
        // `vec!` gets pages that are already zero and touches none, but it ends the program if
        // there is too little memory. So the function first reserves the memory, which returns an
        // error instead.
        Vec::<f64>::new().try_reserve_exact(len)?;
        Ok(Self::new(vec![0.0; len], unit))
    }

    /// Returns the same numbers, each with the same standard deviation.
    pub(crate) fn with_uncertainty(mut self, deviation: f64) -> Self {
        self.uncertainty = Some(vec![deviation; self.data.len()]);
        self
    }

    pub(crate) fn unit(&self) -> &Unit {
        &self.unit
    }

    /// Returns the sum, in the unit of the first array. The deviations count as independent, so
    /// their squares add up.
    pub(crate) fn add(&self, other: &Self) -> Result<Self, AddError> {
        if self.unit.dimension() != other.unit.dimension() {
            return Err(AddError::Dimension);
        }
        if self.data.len() != other.data.len() {
            return Err(AddError::Length);
        }
        let factor = other.unit.scale() / self.unit.scale();
        let pairs = self.data.iter().zip(&other.data);
        let data = pairs.map(|(ours, theirs)| ours + factor * theirs).collect();
        let uncertainty = match (&self.uncertainty, &other.uncertainty) {
            (None, None) => None,
            (Some(ours), None) => Some(ours.clone()),
            (None, Some(theirs)) => Some(theirs.iter().map(|theirs| factor * theirs).collect()),
            (Some(ours), Some(theirs)) => {
                let pairs = ours.iter().zip(theirs);
                Some(pairs.map(|(ours, theirs)| ours.hypot(factor * theirs)).collect())
            }
        };
        Ok(Self { data, unit: Arc::clone(&self.unit), uncertainty })
    }

    /// Multiplies the numbers and their uncertainties by a dimensionless factor.
    pub(crate) fn scale(mut self, factor: f64) -> Self {
        self.data.iter_mut().for_each(|number| *number *= factor);
        for deviation in self.uncertainty.iter_mut().flatten() {
            *deviation *= factor.abs();
        }
        self
    }
}

impl std::error::Error for AddError {}

impl fmt::Display for AddError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Dimension => "the arrays have units of different dimensions",
            Self::Length => "the arrays have different lengths",
        })
    }
}
