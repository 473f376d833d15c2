//! A row of the table: an operation at a size, and what came of timing it.

use super::comparison::Comparison;
use super::split::Split;
use memprof_profile::Device;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An operation on so many elements of a type on a device, and what came of timing it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Row {
    /// The operation's name.
    pub operation: String,
    /// The type of the elements; `None` if it does not matter, as for what was skipped as a whole.
    pub dtype: Option<String>,
    /// Elements that the operation works on; `None` likewise.
    pub elements: Option<u64>,
    /// Where the elements are.
    #[serde(serialize_with = "word", deserialize_with = "device")]
    pub device: Device,
    /// What came of it.
    pub outcome: Outcome,
    /// Where the host's time goes within the wrapped operation; `None` if nobody asked.
    pub split: Option<Split>,
}

/// What came of timing an operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Times.
    Measured(Box<Comparison>),
    /// None, as the device or something on it is missing.
    Skipped {
        /// Which device.
        #[serde(serialize_with = "word", deserialize_with = "device")]
        device: Device,
        /// What is missing.
        reason: String,
    },
}

impl Row {
    /// An operation that was timed.
    pub fn measured(
        operation: impl Into<String>,
        dtype: impl Into<String>,
        device: Device,
        elements: u64,
        comparison: Comparison,
    ) -> Self {
        Self {
            operation: operation.into(),
            dtype: Some(dtype.into()),
            elements: Some(elements),
            device,
            outcome: Outcome::Measured(Box::new(comparison)),
            split: None,
        }
    }

    /// Operations that could not be timed, and why.
    pub fn skipped(
        operation: impl Into<String>,
        device: Device,
        reason: impl Into<String>,
    ) -> Self {
        Self {
            operation: operation.into(),
            dtype: None,
            elements: None,
            device,
            outcome: Outcome::Skipped { device, reason: reason.into() },
            split: None,
        }
    }

    /// The same with the phases of its wrapper.
    #[must_use]
    pub fn with_split(self, split: Split) -> Self {
        Self { split: Some(split), ..self }
    }

    /// The times, if there are any.
    pub fn comparison(&self) -> Option<&Comparison> {
        match &self.outcome {
            Outcome::Measured(comparison) => Some(comparison),
            Outcome::Skipped { .. } => None,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields so")]
fn word<S: Serializer>(device: &Device, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(device)
}

fn device<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Device, D::Error> {
    let word = String::deserialize(deserializer)?;
    let expected = || format!("{word:?} is no device: expected `cpu`, `cuda:0` or `metal:0`");
    Device::from_word(&word).ok_or_else(|| serde::de::Error::custom(expected()))
}
