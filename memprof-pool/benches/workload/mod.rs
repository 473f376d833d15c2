//! A synthetic trace of the allocations and frees of a training transformer.
//!
//! The trace is not recorded. Its sizes and order are those of a program that keeps activations for
//! the backward pass and uses the optimizer Adam.

/// An allocation or a free. The name of an allocation is unique.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Allocate { name: u64, bytes: u64 },
    Free { name: u64 },
}

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

impl Transformer {
    /// Returns a trace with one step for each length of sequences. At the end, the weights and the
    /// state of the optimizer stay allocated.
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

#[derive(Default)]
struct Trace {
    steps: Vec<Step>,
    named: u64,
}

impl Trace {
    fn allocate(&mut self, bytes: u64) -> u64 {
        let name = self.named;
        self.named += 1;
        self.steps.push(Step::Allocate { name, bytes });
        name
    }

    fn free(&mut self, name: u64) {
        self.steps.push(Step::Free { name });
    }
}
