//! Initial tensors: random weights, which are the same for the same seed.

use candle_core::{DType, Device, Result, Shape, Tensor};

/// A generator of tensors of one type on one device.
pub(crate) struct Initializer {
    pub(crate) dtype: DType,
    pub(crate) device: Device,
    pub(crate) seed: u64,
}

impl Initializer {
    pub(crate) fn tensor(&self, numbers: Vec<f32>, dims: impl Into<Shape>) -> Result<Tensor> {
        Tensor::from_vec(numbers, dims.into(), &self.device)?.to_dtype(self.dtype)
    }

    /// Returns a weight of `[outputs, inputs]`, scaled so that products are as large as inputs.
    pub(crate) fn weight(&mut self, outputs: usize, inputs: usize) -> Result<Tensor> {
        let bound = (3.0 / inputs as f32).sqrt();
        let mut number = || bound * (self.random() as f32 / (1 << 23) as f32 - 1.0);
        let numbers = (0..outputs * inputs).map(|_| number()).collect();
        self.tensor(numbers, (outputs, inputs))
    }

    /// Returns random tokens of a vocabulary.
    pub(crate) fn tokens(&mut self, count: usize, vocabulary: usize) -> Vec<u32> {
        (0..count).map(|_| self.random() % vocabulary as u32).collect()
    }

    /// Returns 24 random bits, which an f32 holds exactly, from a linear congruential generator.
    fn random(&mut self) -> u32 {
        const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
        self.seed = self.seed.wrapping_mul(MULTIPLIER).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 40) as u32
    }
}
