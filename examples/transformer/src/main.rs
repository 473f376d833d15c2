//! A transformer on candle whose memory is predicted by three formulas and measured with memprof:
//! `cargo run --package memprof-transformer --features candle`.
//!
//! The structs derive `MemoryProfile`, so a profile has the weights and the KV cache by field. candle
//! has no list of live tensors, so the activations are measured by the allocator: the most bytes
//! that were live at once during a pass. Each operation goes through [`Step`], which records its
//! time and input shapes, and drops its input as soon as possible.

#![expect(clippy::cast_precision_loss, reason = "sizes and positions are far below 2²⁴")]

use candle_core::{D, DType, Device, Result, Tensor};
use clap::Parser;
use memprof::heap::{Level, framework};
use memprof::tree::{Branch, Leaf, LeafKind, Role};
use memprof::views::Units;
use memprof::{MemoryProfile, Profile, Session, operation};
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// The number of tokens that the model reads first.
const PROMPT: usize = 48;
/// The number of tokens that the model adds.
const NEW: usize = 16;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system().starting_at(Level::Counters);

/// Runs a transformer and prints its memory, predicted by formula and measured with memprof.
#[derive(clap::Parser, Debug)]
struct Arguments {
    /// Size of the model: tiny, or 1b, which needs 2.4 GiB
    #[arg(long, default_value = "tiny", value_parser = shape)]
    shape: Shape,
    /// Record a session in this folder, for `memprof info`
    #[arg(long, value_name = "FOLDER")]
    output_dir: Option<PathBuf>,
    /// Print the formulas and their bytes, and allocate nothing
    #[arg(long)]
    dry_run: bool,
}

fn shape(name: &str) -> std::result::Result<Shape, String> {
    match name {
        "tiny" => Ok(TINY),
        "1b" => Ok(ONE_BILLION),
        _ => Err("expected tiny or 1b".to_owned()),
    }
}

fn main() -> ExitCode {
    if let Err(error) = report(Arguments::parse()) {
        eprintln!("transformer: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Prints a profile, the operations, and the predictions beside the measurements.
fn report(arguments: Arguments) -> std::result::Result<(), Box<dyn Error>> {
    let Arguments { shape, output_dir, dry_run } = arguments;
    let parts = parts(&shape, PROMPT);
    if dry_run {
        for Part { name, bytes, formula } in &parts {
            let formula = formula.replace('\n', " ");
            println!("{name:<12} {:>15}  {formula}", Units::Bytes.show(*bytes));
        }
        return Ok(());
    }
    let mut session = Session::builder().level(Level::Counters);
    if let Some(folder) = output_dir {
        session = session.enabled(true).output_dir(folder);
    }
    let session = session.start()?;
    let run = generate(shape, (PROMPT, NEW))?;
    session.root("weights", run.model.clone());
    session.root("kv cache", run.cache.clone());
    session.checkpoint("generated");
    println!("{}\n", run.profile().tree().width(80).depth(3));
    println!("{}\n", memprof::heap::operations()?);
    println!("{:<12} {:>15} {:>15}", "part", "predicted", "measured");
    let measured = run.measured();
    for (Part { name, bytes, .. }, measured) in parts.iter().zip(measured) {
        let [left, right] = [*bytes, measured].map(|bytes| Units::Bytes.show(bytes));
        println!("{name:<12} {left:>15} {right:>15}");
    }
    println!("tokens: {:?}", run.tokens);
    if let Some(path) = session.finish()?.path() {
        println!("recorded in {}", path.display());
    }
    compared(&parts, measured).map_err(Into::into)
}

/// A model after it generated tokens.
struct Run {
    model: Arc<Transformer>,
    cache: Arc<KvCache>,
    tokens: Vec<u32>,
    /// The most bytes that were live at once in a pass that reads the prompt.
    peak: u64,
}

/// Makes a model and generates tokens.
fn generate(
    shape: Shape,
    (prompt, new): (usize, usize),
) -> std::result::Result<Run, Box<dyn Error>> {
    let mut make = Initializer { dtype: shape.dtype, seed: 1 };
    let model = {
        let _operation = operation!("make weights");
        Arc::new(Transformer::new(&mut make, shape)?)
    };
    let cache = {
        let _operation = operation!("make kv cache");
        Arc::new(KvCache::new(&shape)?)
    };
    let read = make.tokens(prompt, shape.vocabulary);
    let (mut tokens, mut input, mut start) = (Vec::new(), read.clone(), 0);
    while tokens.len() < new {
        let _operation = if start == 0 { operation!("prompt") } else { operation!("token") };
        let logits = model.forward(&input, (&cache, start))?;
        start += input.len();
        input = logits.then("argmax", |logits| logits.argmax(D::Minus1))?.to_vec1()?;
        tokens.extend(&input);
    }
    // Again, because candle allocates buffers in the first pass and keeps them.
    let pass = || model.forward(&read, (&cache, 0)).map(drop);
    let (passed, measured) = memprof::heap::measure(pass)?;
    passed?;
    Ok(Run { model, cache, tokens, peak: measured.peak_bytes })
}

impl Run {
    fn profile(&self) -> Profile {
        let weights = Profile::named("weights", &*self.model);
        let cache = Profile::named("kv cache", &*self.cache);
        Profile::joined("transformer", [&weights, &cache])
    }

    /// Returns the bytes of the weights' elements, of the cache's elements, and of the activations.
    fn measured(&self) -> [u64; 3] {
        // Dimensions, strides, counts and the model's shape are not elements.
        let is_data = |leaf: &&Leaf| leaf.kind() == LeafKind::Data && leaf.role() != Role::Metadata;
        let profile = self.profile();
        let elements = |name| {
            let part = profile.root().child(name).into_iter().flat_map(Branch::subtree);
            part.flat_map(Branch::leaves).filter(is_data).map(Leaf::bytes).sum()
        };
        [elements("weights"), elements("kv cache"), self.peak]
    }
}

/// A part of the memory, and the predicted bytes of its elements.
struct Part {
    name: &'static str,
    bytes: u64,
    formula: &'static str,
}

/// Predicts the weights, the KV cache, and the activations of a pass that reads the prompt.
fn parts(shape: &Shape, prompt: usize) -> [Part; 3] {
    let Shape { vocabulary, width, layers, mlp_width, context, head_width, .. } = *shape;
    let (queries, keys) = (shape.queries(), shape.keys());
    let tables = if shape.tied { 1 } else { 2 };
    /// An expression and its text.
    macro_rules! part {
        ($name:literal, $size:expr, $expression:expr) => {
            Part {
                name: $name,
                bytes: ($size * ($expression)) as u64,
                formula: stringify!($expression),
            }
        };
    }
    let element = shape.dtype.size_in_bytes();
    // The largest moment is in the attention, in the MLP, in a norm (of 32 bits), or in the head.
    let (x, inner) = (element * prompt * width, element * prompt * mlp_width);
    let (rows, scores) = (4 * prompt, shape.heads * element * prompt * prompt);
    let mask = if prompt > 1 { element * prompt * prompt } else { 0 };
    let (query, key) = (element * prompt * queries, element * prompt * keys);
    let norm = 2 * rows * width + rows;
    let attention = (x + query + 2 * key).max(2 * key + 3 * query);
    let softmax = 2 * scores + shape.heads * element * prompt;
    let mlp = (x + 2 * inner).max(3 * inner);
    let head = element * (width + vocabulary);
    let layer = [norm, attention, softmax, mlp].into_iter().max().unwrap_or(0);
    [
        part!(
            "weights",
            element,
            tables * vocabulary * width
                + layers * width * (2 * queries + 2 * keys + 3 * mlp_width + 2)
                + width
                + 2 * context * head_width
        ),
        part!("kv cache", element, layers * 2 * keys * context),
        part!("activations", 1, (x + mask + layer).max(head)),
    ]
}

/// Compares the predictions with the measurements. The prediction of the activations is a lower bound,
/// because products of matrices also need memory while they run.
fn compared(parts: &[Part; 3], measured: [u64; 3]) -> std::result::Result<(), String> {
    let [weights, cache, activations] =
        [0, 1, 2].map(|part| measured[part].cmp(&parts[part].bytes));
    let holds = [weights.is_eq(), cache.is_eq(), activations.is_ge()];
    let wrong = parts.iter().zip(holds).filter(|(_, holds)| !holds);
    let wrong: Vec<_> = wrong.map(|(part, _)| part.name).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("predicted and measured bytes differ: {}", wrong.join(", ")))
}

/// The numbers that determine how much memory a model takes.
#[derive(Clone, Copy, Debug, MemoryProfile)]
struct Shape {
    vocabulary: usize,
    width: usize,
    layers: usize,
    /// The number of heads of queries. Groups of these heads, all of one size, share one head of
    /// keys and values.
    heads: usize,
    kv_heads: usize,
    head_width: usize,
    mlp_width: usize,
    /// The number of positions in the KV cache.
    context: usize,
    /// `true` if the embeddings are the head too.
    tied: bool,
    dtype: DType,
}

/// 254,528 weights.
const TINY: Shape = Shape {
    vocabulary: 512,
    width: 64,
    layers: 4,
    heads: 8,
    kv_heads: 2,
    head_width: 8,
    mlp_width: 192,
    context: 128,
    tied: false,
    dtype: DType::F32,
};

/// 1,235,814,400 weights: the shape of a common small language model.
const ONE_BILLION: Shape = Shape {
    vocabulary: 128_256,
    width: 2048,
    layers: 16,
    heads: 32,
    kv_heads: 8,
    head_width: 64,
    mlp_width: 8192,
    context: 2048,
    tied: true,
    dtype: DType::F16,
};

impl Shape {
    /// Elements in the queries of one token.
    const fn queries(&self) -> usize {
        self.heads * self.head_width
    }

    /// Elements in the keys of one token, and in its values.
    const fn keys(&self) -> usize {
        self.kv_heads * self.head_width
    }
}

/// A generator of tensors with random elements, which are the same for the same seed.
struct Initializer {
    dtype: DType,
    seed: u64,
}

impl Initializer {
    fn tensor(&self, numbers: Vec<f32>, dims: impl Into<candle_core::Shape>) -> Result<Tensor> {
        Tensor::from_vec(numbers, dims.into(), &Device::Cpu)?.to_dtype(self.dtype)
    }

    /// Returns a weight of `[outputs, inputs]`, scaled so that products are as large as inputs.
    fn weight(&mut self, outputs: usize, inputs: usize) -> Result<Tensor> {
        let bound = (3.0 / inputs as f32).sqrt();
        let mut number = || bound * (self.random() as f32 / (1 << 23) as f32 - 1.0);
        let numbers = (0..outputs * inputs).map(|_| number()).collect();
        self.tensor(numbers, (outputs, inputs))
    }

    fn tokens(&mut self, count: usize, vocabulary: usize) -> Vec<u32> {
        (0..count).map(|_| self.random() % vocabulary as u32).collect()
    }

    /// Returns 24 random bits, which an f32 holds exactly, from a linear congruential generator.
    fn random(&mut self) -> u32 {
        const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
        self.seed = self.seed.wrapping_mul(MULTIPLIER).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 40) as u32
    }
}

/// An operation of a framework on a tensor, which is dropped when the operation is done.
trait Step: Sized {
    /// Runs an operation on this tensor.
    fn then(self, name: &'static str, work: impl FnOnce(&Tensor) -> Result<Tensor>)
    -> Result<Self>;

    /// Runs an operation on this tensor and another one.
    fn with(
        self,
        name: &'static str,
        other: &Tensor,
        work: impl FnOnce(&Tensor, &Tensor) -> Result<Tensor>,
    ) -> Result<Self>;

    /// Multiplies this tensor by the transpose of a weight of `[outputs, inputs]`.
    fn linear(self, weight: &Tensor) -> Result<Self> {
        self.with("linear", weight, |x, weight| x.matmul(&weight.t()?))
    }
}

impl Step for Tensor {
    fn then(
        self,
        name: &'static str,
        work: impl FnOnce(&Tensor) -> Result<Tensor>,
    ) -> Result<Self> {
        framework::run(name, &[self.dims()], || work(&self))
    }

    fn with(
        self,
        name: &'static str,
        other: &Tensor,
        work: impl FnOnce(&Tensor, &Tensor) -> Result<Tensor>,
    ) -> Result<Self> {
        framework::run(name, &[self.dims(), other.dims()], || work(&self, other))
    }
}

#[derive(Debug, MemoryProfile)]
struct Transformer {
    #[profile(role = "metadata")]
    shape: Shape,
    embeddings: Tensor,
    layers: Vec<Layer>,
    norm: Tensor,
    /// `None` if the embeddings are the head.
    head: Option<Tensor>,
    #[profile(role = "auxiliary")]
    rotary: Rotary,
}

#[derive(Debug, MemoryProfile)]
struct Layer {
    attention_norm: Tensor,
    attention: Attention,
    mlp_norm: Tensor,
    mlp: Mlp,
}

/// Grouped-query attention.
#[derive(Debug, MemoryProfile)]
struct Attention {
    query: Tensor,
    key: Tensor,
    value: Tensor,
    output: Tensor,
}

/// A gated MLP (`SwiGLU`).
#[derive(Debug, MemoryProfile)]
struct Mlp {
    gate: Tensor,
    up: Tensor,
    down: Tensor,
}

/// Cosines and sines of each position and element of a head: `[context, head_width]`.
#[derive(Debug, MemoryProfile)]
struct Rotary {
    cosines: Tensor,
    sines: Tensor,
}

/// Memory for the keys and values of all positions, allocated at the start.
#[derive(Debug, MemoryProfile)]
struct KvCache {
    #[profile(role = "auxiliary")]
    layers: Vec<LayerCache>,
}

/// The keys and the values of one layer, each of `[kv_heads, context, head_width]`.
#[derive(Debug, MemoryProfile)]
struct LayerCache {
    keys: Tensor,
    values: Tensor,
}

/// The state that all layers of one forward pass share.
struct Pass {
    shape: Shape,
    /// The number of tokens in the cache before this pass.
    start: usize,
    /// The number of tokens that this pass reads.
    tokens: usize,
    /// Views of the rotary tables: `[tokens, 1, head_width]`.
    cosines: Tensor,
    sines: Tensor,
    /// The mask that hides later tokens: `[tokens, start + tokens]`. One token needs no mask.
    mask: Option<Tensor>,
}

impl Transformer {
    fn new(make: &mut Initializer, shape: Shape) -> Result<Self> {
        let Shape { vocabulary, width, tied, .. } = shape;
        Ok(Self {
            shape,
            embeddings: make.weight(vocabulary, width)?,
            layers: (0..shape.layers).map(|_| Layer::new(make, &shape)).collect::<Result<_>>()?,
            norm: make.tensor(vec![1.0; width], width)?,
            head: (!tied).then(|| make.weight(vocabulary, width)).transpose()?,
            rotary: Rotary::new(make, &shape)?,
        })
    }

    /// Adds tokens to a cache that has `start` others. Returns the logits of the last token.
    fn forward(&self, tokens: &[u32], (cache, start): (&KvCache, usize)) -> Result<Tensor> {
        let pass = self.rotary.pass(self.shape, start, tokens.len())?;
        let mut x = {
            let _operation = operation!("embed");
            let tokens = Tensor::new(tokens, &Device::Cpu)?;
            tokens.with("embedding", &self.embeddings, |tokens, table| table.embedding(tokens))?
        };
        for (layer, cache) in self.layers.iter().zip(&cache.layers) {
            x = layer.forward(x, &pass, cache)?;
        }
        drop(pass);
        let _operation = operation!("head");
        let x = x.then("narrow", |x| x.narrow(0, tokens.len() - 1, 1))?;
        norm(x, &self.norm)?.linear(self.head.as_ref().unwrap_or(&self.embeddings))
    }
}

impl Layer {
    fn new(make: &mut Initializer, shape: &Shape) -> Result<Self> {
        let Shape { width, mlp_width, .. } = *shape;
        let (queries, keys) = (shape.queries(), shape.keys());
        Ok(Self {
            attention_norm: make.tensor(vec![1.0; width], width)?,
            attention: Attention {
                query: make.weight(queries, width)?,
                key: make.weight(keys, width)?,
                value: make.weight(keys, width)?,
                output: make.weight(width, queries)?,
            },
            mlp_norm: make.tensor(vec![1.0; width], width)?,
            mlp: Mlp {
                gate: make.weight(mlp_width, width)?,
                up: make.weight(mlp_width, width)?,
                down: make.weight(width, mlp_width)?,
            },
        })
    }

    fn forward(&self, x: Tensor, pass: &Pass, cache: &LayerCache) -> Result<Tensor> {
        let x = {
            let _operation = operation!("attention");
            let normed = norm(x.clone(), &self.attention_norm)?;
            let mixed = self.attention.forward(normed, pass, cache)?;
            x.with("add", &mixed, Tensor::add)?
        };
        let _operation = operation!("mlp");
        let normed = norm(x.clone(), &self.mlp_norm)?;
        let changed = self.mlp.forward(normed)?;
        x.with("add", &changed, Tensor::add)
    }
}

impl Mlp {
    fn forward(&self, x: Tensor) -> Result<Tensor> {
        let gate = x.clone().linear(&self.gate)?.then("silu", Tensor::silu)?;
        let product = {
            let up = x.linear(&self.up)?;
            gate.with("mul", &up, Tensor::mul)?
        };
        product.linear(&self.down)
    }
}

impl Attention {
    /// Mixes tokens, `[tokens, width]`, with the tokens in the cache, and adds them to the cache.
    fn forward(&self, x: Tensor, pass: &Pass, cache: &LayerCache) -> Result<Tensor> {
        let Pass { shape, start, tokens, .. } = *pass;
        let Shape { heads, kv_heads, head_width, .. } = shape;
        let (seen, group) = (start + tokens, heads / kv_heads);
        let query = reshaped(x.clone().linear(&self.query)?, &[tokens, heads, head_width])?;
        let key = reshaped(x.clone().linear(&self.key)?, &[tokens, kv_heads, head_width])?;
        let value = reshaped(x.linear(&self.value)?, &[tokens, kv_heads, head_width])?;
        let query = pass.rotate(query)?;
        let keys = push(&permuted(pass.rotate(key)?, &[1, 0, 2])?, &cache.keys, start)?;
        let values = push(&permuted(value, &[1, 0, 2])?, &cache.values, start)?;
        // The queries that share a head of keys are the rows of one matrix.
        let query = query.then("affine", |x| x.affine(1.0 / (head_width as f64).sqrt(), 0.0))?;
        let query = reshaped(query, &[tokens, kv_heads, group, head_width])?;
        let query = permuted(query, &[1, 2, 0, 3])?;
        let query = reshaped(query, &[kv_heads, group * tokens, head_width])?;
        let scores = query.with("matmul", &keys.t()?, Tensor::matmul)?;
        let scores = reshaped(scores, &[heads, tokens, seen])?;
        let scores = match &pass.mask {
            Some(mask) => scores.with("add", mask, Tensor::broadcast_add)?,
            None => scores,
        };
        let shares = reshaped(softmax(scores)?, &[kv_heads, group * tokens, seen])?;
        let mixed = shares.with("matmul", &values, Tensor::matmul)?;
        let mixed = permuted(reshaped(mixed, &[heads, tokens, head_width])?, &[1, 0, 2])?;
        reshaped(mixed, &[tokens, heads * head_width])?.linear(&self.output)
    }
}

impl KvCache {
    fn new(shape: &Shape) -> Result<Self> {
        let dims = [shape.kv_heads, shape.context, shape.head_width];
        let zeros = || Tensor::zeros(&dims, shape.dtype, &Device::Cpu);
        let layer = |_| Ok(LayerCache { keys: zeros()?, values: zeros()? });
        Ok(Self { layers: (0..shape.layers).map(layer).collect::<Result<_>>()? })
    }
}

impl Rotary {
    fn new(make: &Initializer, shape: &Shape) -> Result<Self> {
        /// The base of the angles.
        const BASE: f64 = 10_000.0;

        let (width, half) = (shape.head_width, shape.head_width / 2);
        let angle = |index: usize| {
            let pair = index % width % half;
            (index / width) as f64 * BASE.powf(-2.0 * pair as f64 / width as f64)
        };
        let table = |of: fn(f64) -> f64| {
            let numbers = (0..shape.context * width).map(|index| of(angle(index)) as f32);
            make.tensor(numbers.collect(), (shape.context, width))
        };
        Ok(Self { cosines: table(f64::cos)?, sines: table(f64::sin)? })
    }

    fn pass(&self, shape: Shape, start: usize, tokens: usize) -> Result<Pass> {
        let rows = |table: &Tensor| table.narrow(0, start, tokens)?.unsqueeze(1);
        let (cosines, sines) = (rows(&self.cosines)?, rows(&self.sines)?);
        let seen = start + tokens;
        let is_later = |index: usize| index % seen > start + index / seen;
        let number = |index| if is_later(index) { f32::NEG_INFINITY } else { 0.0 };
        let mask = || {
            let numbers = (0..tokens * seen).map(number).collect();
            let mask = Tensor::from_vec(numbers, (tokens, seen), &Device::Cpu)?;
            mask.then("to_dtype", |x| x.to_dtype(shape.dtype))
        };
        let mask = (tokens > 1).then(mask).transpose()?;
        Ok(Pass { shape, start, tokens, cosines, sines, mask })
    }
}

impl Pass {
    /// Rotates heads, `[tokens, heads, head_width]`. Each rotated pair has one element of each half
    /// of a head.
    fn rotate(&self, heads: Tensor) -> Result<Tensor> {
        let half = self.shape.head_width / 2;
        let second = heads.clone().then("neg", |x| x.narrow(2, half, half)?.neg())?;
        let cat = |left: &Tensor, right: &Tensor| Tensor::cat(&[left, right], 2);
        let turned = second.with("cat", &heads.narrow(2, 0, half)?, cat)?;
        let turned = turned.with("mul", &self.sines, Tensor::broadcast_mul)?;
        let heads = heads.with("mul", &self.cosines, Tensor::broadcast_mul)?;
        heads.with("add", &turned, Tensor::add)
    }
}

/// Writes `[kv_heads, tokens, head_width]` into a cache, and returns a view of all its tokens so
/// far.
fn push(new: &Tensor, cache: &Tensor, start: usize) -> Result<Tensor> {
    let write = || cache.slice_set(new, 1, start);
    framework::run("slice_set", &[cache.dims(), new.dims()], write)?;
    cache.narrow(1, 0, start + new.dim(1)?)
}

/// Normalizes rows by their root mean square, in 32 bits, because the squares overflow an f16.
fn norm(x: Tensor, weight: &Tensor) -> Result<Tensor> {
    const EPSILON: f64 = 1e-5;
    let (dtype, width) = (x.dtype(), weight.elem_count() as f64);
    let x = x.then("to_dtype", |x| x.to_dtype(DType::F32))?;
    let squares = x.clone().then("sqr", Tensor::sqr)?;
    let sums = squares.then("sum", |x| x.sum_keepdim(D::Minus1))?;
    let means = sums.then("affine", |x| x.affine(1.0 / width, EPSILON))?;
    let scales = means.then("powf", |x| x.powf(-0.5))?;
    let normed = x.with("mul", &scales, Tensor::broadcast_mul)?;
    drop(scales);
    let normed = normed.then("to_dtype", |x| x.to_dtype(dtype))?;
    normed.with("mul", weight, Tensor::broadcast_mul)
}

/// Normalizes each row; subtracting the maximum first keeps the powers finite.
fn softmax(scores: Tensor) -> Result<Tensor> {
    let shifted = {
        let most = scores.clone().then("max", |x| x.max_keepdim(D::Minus1))?;
        scores.with("sub", &most, Tensor::broadcast_sub)?
    };
    let powers = shifted.then("exp", Tensor::exp)?;
    let sums = powers.clone().then("sum", |x| x.sum_keepdim(D::Minus1))?;
    powers.with("div", &sums, Tensor::broadcast_div)
}

/// Returns a view with other dimensions. The input is contiguous, so nothing is copied.
fn reshaped(x: Tensor, dims: &[usize]) -> Result<Tensor> {
    x.then("reshape", |x| x.reshape(dims))
}

/// Returns a contiguous copy, or a view if the order of the elements stays.
fn permuted(x: Tensor, dims: &[usize]) -> Result<Tensor> {
    x.then("permute", |x| x.permute(dims)?.contiguous())
}

#[cfg(test)]
mod tests {
    use super::{Shape, TINY, compared, generate, parts};
    use candle_core::DType;

    /// Shapes that differ in which part and which moment is the largest.
    const SHAPES: [Shape; 8] = [
        TINY,
        Shape { tied: true, layers: 1, ..TINY },
        Shape { kv_heads: 8, ..TINY },
        Shape { heads: 16, kv_heads: 4, head_width: 16, mlp_width: 16, ..TINY },
        Shape { heads: 1, kv_heads: 1, head_width: 2, mlp_width: 8, vocabulary: 7, ..TINY },
        Shape { vocabulary: 5000, context: 64, ..TINY },
        Shape { mlp_width: 1000, ..TINY },
        Shape { mlp_width: 8, heads: 2, kv_heads: 2, head_width: 12, vocabulary: 100, ..TINY },
    ];

    #[test]
    fn measurements_are_as_predicted_in_every_shape_type_and_length() {
        for shape in SHAPES {
            for dtype in [DType::F32, DType::F16] {
                let shape = Shape { dtype, ..shape };
                for prompt in [1, 2, 40] {
                    let run = generate(shape, (prompt, 3)).expect("it runs");
                    let compared = compared(&parts(&shape, prompt), run.measured());
                    assert_eq!(compared, Ok(()), "{shape:?}, {prompt} tokens");
                }
            }
        }
    }

    /// With many tokens, the largest moment is in an operation that needs no memory of its own.
    #[test]
    fn the_allocator_counts_little_more_than_the_activations() {
        for shape in [TINY, Shape { kv_heads: 8, ..TINY }, Shape { mlp_width: 1024, ..TINY }] {
            let run = generate(shape, (96, 3)).expect("it runs");
            let [_, _, activations] = parts(&shape, 96);
            let beside = run.peak - activations.bytes;
            assert!(beside < 8 << 10, "{beside} B: {shape:?}");
        }
    }

    #[test]
    fn a_wrong_prediction_is_an_error_that_names_the_parts() {
        let run = generate(TINY, (20, 3)).expect("it runs");
        let wrong = parts(&Shape { mlp_width: 400, ..TINY }, 20);
        let error = "predicted and measured bytes differ: weights, activations".to_owned();
        assert_eq!(compared(&wrong, run.measured()), Err(error));
    }
}
