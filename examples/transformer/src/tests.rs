//! The transformer computes what it should, and takes what the formulas say.

mod asked;
mod forward;
mod memory;

use crate::arguments::Arguments;
use crate::device::Place;
use crate::generate::{Generated, generate};
use crate::model::{Activations, KvCache, Maker, Transformer};
use crate::report::Report;
use crate::shape::Shape;
use candle_core::{DType, Device};
use std::sync::Mutex;

fn arguments(shape: Shape, dtype: DType) -> Arguments {
    Arguments {
        shape,
        dtype,
        place: Place::Cpu,
        prompt: 20,
        generate: 4,
        seed: 7,
        output_dir: None,
        operations: false,
        dry_run: false,
    }
}

/// A transformer that has generated what it was asked for.
struct Run {
    maker: Maker,
    transformer: Transformer,
    cache: Mutex<KvCache>,
    activations: Activations,
    prompt: Vec<u32>,
    generated: Generated,
}

fn generated(arguments: &Arguments) -> Run {
    let mut maker = Maker::new(arguments.dtype, &Device::Cpu, arguments.seed);
    let transformer = Transformer::new(&mut maker, arguments.shape).expect("it fits");
    let cache = Mutex::new(KvCache::new(&mut maker, &arguments.shape).expect("it fits"));
    let activations = Activations::default();
    let prompt = maker.tokens(arguments.prompt, arguments.shape.vocabulary);
    // As the program does: what is made on first use isn't measured.
    transformer.forward(&prompt, &cache, &activations, 1).expect("it runs");
    cache.lock().expect("nobody panicked").tokens = 0;
    let generated = generate(&transformer, &prompt, arguments.generate, &cache, &activations);
    Run { maker, transformer, cache, activations, prompt, generated: generated.expect("it runs") }
}

impl Run {
    fn report(&self, arguments: &Arguments) -> Report {
        let cache = self.cache.lock().expect("nobody panicked");
        Report::new(arguments, &self.maker, &self.transformer, &cache, &self.generated)
            .expect("the cache has as many tokens")
    }

    /// Logits of tokens that come after so many in the cache: one row for each.
    fn logits(&self, start: usize, tokens: &[u32]) -> Vec<Vec<f32>> {
        self.cache.lock().expect("nobody panicked").tokens = start;
        let logits = self.transformer.forward(tokens, &self.cache, &self.activations, tokens.len());
        let logits = logits.expect("it runs").tensor().to_dtype(DType::F32);
        logits.and_then(|logits| logits.to_vec2()).expect("a row for each token")
    }
}
