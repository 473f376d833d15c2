//! A transformer on candle whose memory is predicted by formula and measured with memprof:
//! `cargo run --package memprof-transformer --features candle`.
//!
//! `model.rs` and `attention.rs` have the annotated structs, `activations.rs` registers the results
//! of operations, `formulas.rs` predicts, and this file runs the model and compares.

#![expect(clippy::cast_precision_loss, reason = "sizes and positions are far below 2²⁴")]

mod activations;
mod arguments;
mod attention;
mod formulas;
mod initializer;
mod model;
mod shape;
#[cfg(test)]
mod tests;

use activations::Activations;
use arguments::Arguments;
use attention::KvCache;
use candle_core::{D, Device};
use clap::Parser;
use initializer::Initializer;
use memprof::heap::Level;
use memprof::session::SessionHandle;
use memprof::{Profile, Session, operation};
use model::Transformer;
use shape::Shape;
use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

/// The number of tokens that the model reads first.
const PROMPT: usize = 48;
/// The number of tokens that the model adds.
const NEW: usize = 16;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system().starting_at(Level::Counters);

fn main() -> ExitCode {
    if let Err(error) = report(Arguments::parse()) {
        eprintln!("transformer: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Prints a profile, the operations, and the predictions beside the measurements.
fn report(arguments: Arguments) -> Result<(), Box<dyn Error>> {
    let Arguments { shape, device, output_dir, dry_run } = arguments;
    let parts = formulas::parts(&shape, PROMPT, NEW);
    if dry_run {
        formulas::print(&parts);
        return Ok(());
    }
    // Samples of the heap would add nothing, as candle hides the addresses of storages.
    let mut session = Session::builder().level(Level::Counters);
    if let Some(folder) = output_dir {
        session = session.enabled(true).output_dir(folder);
    }
    let session = session.start()?;
    let (tokens, passes) = generate(shape, &device, (PROMPT, NEW), &session.handle())?;
    println!("{}\n", passes[0].tree().width(80).depth(3));
    println!("{}\n", memprof::heap::operations()?);
    let compared = formulas::compare(&parts, &passes);
    println!("tokens: {tokens:?}");
    if let Some(path) = session.finish()?.path() {
        println!("recorded in {}", path.display());
    }
    compared.map_err(Into::into)
}

/// Makes a model and generates tokens.
///
/// Returns the tokens and two profiles: of the first and of the last pass, each at the pass's
/// moment with the most live bytes.
fn generate(
    shape: Shape,
    device: &Device,
    (prompt, new): (usize, usize),
    session: &SessionHandle,
) -> Result<(Vec<u32>, [Profile; 2]), Box<dyn Error>> {
    let mut make = Initializer { dtype: shape.dtype, device: device.clone(), seed: 1 };
    let model = {
        let _operation = operation!("make weights");
        Arc::new(Transformer::new(&mut make, shape)?)
    };
    let cache = {
        let _operation = operation!("make kv cache");
        Arc::new(KvCache::new(&make, &shape)?)
    };
    let largest = formulas::activations(&shape, 0, prompt).0;
    let activations = Activations::new(session.clone(), largest);
    session.root("weights", model.clone());
    session.root("kv cache", cache.clone());
    session.root("activations", activations.live.clone());

    let (mut tokens, mut peaks) = (Vec::new(), Vec::new());
    let mut input = make.tokens(prompt, shape.vocabulary);
    let mut start = 0;
    while tokens.len() < new {
        let _operation = if start == 0 { operation!("prompt") } else { operation!("token") };
        let logits = model.forward(&input, (&cache, start), &activations, 1)?;
        start += input.len();
        input = logits.then("argmax", |logits| logits.argmax(D::Minus1))?.tensor.to_vec1()?;
        tokens.extend(&input);
        peaks.extend(activations.take_peak());
    }
    let weights = Profile::named("weights", &*model);
    let cache = Profile::named("kv cache", &*cache);
    let profile = |peak| Profile::joined("transformer", [&weights, &cache, peak]);
    Ok((tokens, [profile(&peaks[0]), profile(&peaks[new - 1])]))
}
