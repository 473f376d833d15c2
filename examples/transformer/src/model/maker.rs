//! Makes the model's tensors, from a seed, and keeps account of what each part asked of the host.

use crate::parts::Part;
use candle_core::{DType, Device, Error, Result, Tensor};
use memprof::heap::measure;
use std::collections::BTreeMap;

/// Numbers that are made at a time: the rest of a tensor never exists a second time.
const CHUNK: usize = 1 << 20;

pub(crate) struct Maker {
    dtype: DType,
    device: Device,
    state: u64,
    host_bytes: BTreeMap<Part, i64>,
}

impl Maker {
    pub(crate) fn new(dtype: DType, device: &Device, seed: u64) -> Self {
        Self { dtype, device: device.clone(), state: seed, host_bytes: BTreeMap::new() }
    }

    /// The bytes of the host's memory that the tensors of a part took, handles included.
    pub(crate) fn host_bytes(&self, part: Part) -> i64 {
        self.host_bytes.get(&part).copied().unwrap_or_default()
    }

    /// A weight of `[outputs, inputs]` whose products are about as large as what they are given.
    pub(super) fn weight(&mut self, part: Part, dims: &[usize; 2]) -> Result<Tensor> {
        let bound = (3.0 / dims[1] as f64).sqrt() as f32;
        let mut state = self.state;
        let tensor = self.table(part, dims, |_| bound * uniform(&mut state))?;
        self.state = state;
        Ok(tensor)
    }

    pub(super) fn ones(&mut self, part: Part, width: usize) -> Result<Tensor> {
        self.make(part, |dtype, device| Tensor::ones(width, dtype, device))
    }

    pub(super) fn zeros(&mut self, part: Part, dims: &[usize; 3]) -> Result<Tensor> {
        self.make(part, |dtype, device| Tensor::zeros(dims, dtype, device))
    }

    /// A tensor of rows, of which each number is made from its index.
    pub(super) fn table(
        &mut self,
        part: Part,
        dims: &[usize; 2],
        mut number: impl FnMut(usize) -> f32,
    ) -> Result<Tensor> {
        let [rows, columns] = *dims;
        let at_once = (CHUNK / columns.max(1)).max(1);
        self.make(part, |dtype, device| {
            let whole = Tensor::zeros(dims, dtype, device)?;
            for first in (0..rows).step_by(at_once) {
                let last = rows.min(first + at_once);
                let numbers: Vec<f32> =
                    (first * columns..last * columns).map(&mut number).collect();
                let chunk = Tensor::from_vec(numbers, (last - first, columns), device)?;
                whole.slice_set(&chunk.to_dtype(dtype)?, 0, first)?;
            }
            Ok(whole)
        })
    }

    /// Tokens of a vocabulary.
    pub(crate) fn tokens(&mut self, count: usize, vocabulary: usize) -> Vec<u32> {
        let vocabulary = vocabulary as u64;
        let token = |_| (random(&mut self.state) % vocabulary) as u32;
        (0..count).map(token).collect()
    }

    fn make(
        &mut self,
        part: Part,
        work: impl FnOnce(DType, &Device) -> Result<Tensor>,
    ) -> Result<Tensor> {
        let (tensor, measured) = measure(|| work(self.dtype, &self.device)).map_err(Error::wrap)?;
        *self.host_bytes.entry(part).or_default() += measured.net_bytes();
        tensor
    }
}

/// The next number from −1 to 1.
fn uniform(state: &mut u64) -> f32 {
    // 24 bits, as many as an f32 tells apart.
    (random(state) >> 40) as f32 / (1 << 23) as f32 - 1.0
}

/// The next 64 bits (`SplitMix64`).
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
