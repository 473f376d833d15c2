//! A synthetic trace of the allocations and frees of a training transformer.
//!
//! The trace is not recorded. Its sizes and order are those of a program that keeps activations for
//! the backward pass and uses the optimizer Adam.

use memprof_pool::{Step, Stream};

/// The shape of a model and of its training data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transformer {
    pub(crate) layers: u64,
    pub(crate) hidden: u64,
    pub(crate) heads: u64,
    pub(crate) vocabulary: u64,
    pub(crate) batch: u64,
}

/// A small GPT with 30 million parameters.
pub(crate) const SMALL: Transformer =
    Transformer { layers: 6, hidden: 512, heads: 8, vocabulary: 8192, batch: 4 };

/// Returns random lengths of sequences, like those of batches padded to their longest text.
pub(crate) fn lengths(seed: u64, steps: usize) -> Vec<u64> {
    let mut bits = seed | 1;
    let mut next = || {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        128 + bits % 385
    };
    (0..steps).map(|_| next()).collect()
}

impl Transformer {
    /// Returns the trace of loading the model and training it, with one step for each length of
    /// sequences.
    ///
    /// At the end, the weights and the state of the optimizer stay allocated.
    pub(crate) fn train(self, lengths: &[u64]) -> Vec<Step> {
        let mut trace = Trace::default();
        let weights: Vec<u64> = (0..self.layers).flat_map(|_| self.weights()).collect();
        let embedding = self.vocabulary * self.hidden;
        let parameters: Vec<u64> = weights.iter().copied().chain([embedding]).collect();
        // The weights are in half precision; the optimizer's copy and its two moments are in single
        // precision.
        for elements in &parameters {
            trace.allocate(2 * elements);
            for _ in 0..3 {
                trace.allocate(4 * elements);
            }
        }
        for &length in lengths {
            self.step(&mut trace, length, embedding);
        }
        trace.steps
    }

    /// Returns the trace of answering texts of these lengths, four texts at a time, token by token.
    ///
    /// Each token's keys and values are joined to the earlier ones in a new tensor, as simple
    /// frameworks do.
    pub(crate) fn generate(self, lengths: &[u64], tokens: u64) -> Vec<Step> {
        let mut trace = Trace::default();
        for elements in (0..self.layers).flat_map(|_| self.weights()) {
            trace.allocate(2 * elements);
        }
        let row = 2 * self.batch * self.hidden;
        for texts in lengths.chunks(4) {
            let mut caches: Vec<(u64, u64)> = Vec::new();
            for &length in texts {
                for _ in 0..2 * self.layers {
                    caches.push((trace.allocate(row * length), length));
                }
            }
            for _ in 0..tokens {
                for (cache, length) in &mut caches {
                    let passing = trace.allocate(row);
                    *length += 1;
                    let joined = trace.allocate(row * *length);
                    trace.free(core::mem::replace(cache, joined));
                    trace.free(passing);
                }
            }
            for (cache, _) in caches {
                trace.free(cache);
            }
        }
        trace.steps
    }

    /// Returns the numbers of elements of a layer's weights.
    fn weights(self) -> [u64; 8] {
        let Self { hidden, .. } = self;
        let square = hidden * hidden;
        [3 * square, square, 4 * square, 4 * square, hidden, hidden, hidden, hidden]
    }

    fn step(self, trace: &mut Trace, length: u64, embedding: u64) {
        let tokens = self.batch * length;
        let row = 2 * tokens * self.hidden;
        let scores = 2 * self.batch * self.heads * length * length;
        let tokens_ids = [trace.allocate(8 * tokens), trace.allocate(8 * tokens)];
        let mut kept = vec![trace.allocate(row)];
        for _ in 0..self.layers {
            let norm = trace.allocate(row);
            let qkv = trace.allocate(3 * row);
            let score = trace.allocate(scores);
            let softmax = trace.allocate(scores);
            trace.free(score);
            let attention = trace.allocate(row);
            let projected = trace.allocate(row);
            let residual = trace.allocate(row);
            trace.free(projected);
            let second_norm = trace.allocate(row);
            let up = trace.allocate(4 * row);
            let activated = trace.allocate(4 * row);
            let down = trace.allocate(row);
            let out = trace.allocate(row);
            trace.free(down);
            kept.extend([norm, qkv, softmax, attention, residual, second_norm, up, activated, out]);
        }
        let logits = trace.allocate(2 * tokens * self.vocabulary);
        let loss = trace.allocate(4);
        let grad_logits = trace.allocate(2 * tokens * self.vocabulary);
        trace.free(logits);
        let mut gradients = vec![trace.allocate(2 * embedding)];
        let mut flowing = trace.allocate(row);
        trace.free(grad_logits);
        let weights = self.weights();
        for _ in 0..self.layers {
            for activation in kept.split_off(kept.len() - 9).into_iter().rev() {
                let passing = trace.allocate(row);
                trace.free(flowing);
                flowing = passing;
                trace.free(activation);
            }
            let wide = trace.allocate(4 * row);
            gradients.extend(weights.map(|elements| trace.allocate(2 * elements)));
            trace.free(wide);
        }
        for gradient in gradients {
            // The optimizer works in single precision.
            let update = trace.allocate(4 * self.hidden * self.hidden);
            trace.free(update);
            trace.free(gradient);
        }
        kept.into_iter().chain([flowing, loss]).chain(tokens_ids).for_each(|one| trace.free(one));
    }
}

/// Returns a trace of batches that a loader keeps ahead of the training.
///
/// The loader keeps `at_once` batches of similar sizes, and replaces them in no particular order.
pub(crate) fn batches(
    seed: u64,
    at_once: usize,
    least: u64,
    most: u64,
    number: usize,
) -> Vec<Step> {
    let mut trace = Trace::default();
    let mut bits = seed | 1;
    let mut below = |end: u64| {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        (bits >> 16) % end
    };
    let mut held: Vec<u64> = Vec::new();
    for _ in 0..number {
        if held.len() == at_once {
            let replaced = held.swap_remove(below(at_once as u64) as usize);
            trace.free(replaced);
        }
        held.push(trace.allocate(least + below(most - least)));
    }
    trace.steps
}

#[derive(Default)]
struct Trace {
    steps: Vec<Step>,
    named: u64,
}

impl Trace {
    fn allocate(&mut self, bytes: u64) -> u64 {
        let name = self.named;
        self.named += 1;
        self.steps.push(Step::Allocate { name, bytes, stream: Stream::DEFAULT });
        name
    }

    fn free(&mut self, name: u64) {
        self.steps.push(Step::Free { name, stream: Stream::DEFAULT });
    }
}
