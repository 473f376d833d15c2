//! The bytes of each part's elements, predicted from the shape and found in a profile.

use crate::shape::Shape;
use memprof::Profile;
use memprof::tree::{Branch, Leaf, LeafKind, Role};
use memprof::views::Units;

/// A part of the memory: its paths in a profile, and the predicted bytes of its elements.
pub(crate) struct Part {
    name: &'static str,
    /// The pass at whose peak the part is measured: 0 for the first pass, 1 for the last.
    pass: usize,
    /// Paths below the root of the profile.
    paths: &'static [&'static str],
    bytes: u64,
    formula: &'static str,
}

/// An expression and its text.
macro_rules! formula {
    ($expression:expr) => {
        ($expression, stringify!($expression))
    };
}

/// Returns the parts of the memory while a prompt is read, their total, and the activations of the
/// last pass.
pub(crate) fn parts(shape: &Shape, prompt: usize, new: usize) -> Vec<Part> {
    let Shape { vocabulary, width, layers, mlp_width, context, head_width, .. } = *shape;
    let (queries, keys) = (shape.queries(), shape.keys());
    let part = |name, paths, (elements, formula): (usize, _)| {
        let bytes = (elements * shape.dtype.size_in_bytes()) as u64;
        Part { name, pass: 0, paths, bytes, formula }
    };
    let pass =
        |name, pass, (bytes, formula)| Part { name, pass, paths: &["activations"], bytes, formula };
    let table = formula!(vocabulary * width);
    let head = if shape.tied { (0, "tied to the embeddings") } else { table };
    let attention = formula!(layers * 2 * width * (queries + keys));
    let mlp = formula!(layers * 3 * width * mlp_width);
    let norms = formula!((2 * layers + 1) * width);
    let norm_paths = &["weights;layers;attention_norm", "weights;layers;mlp_norm", "weights;norm"];
    let rotary = formula!(2 * context * head_width);
    let mut parts = vec![
        part("embeddings", &["weights;embeddings"], table),
        part("attention", &["weights;layers;attention"], attention),
        part("mlp", &["weights;layers;mlp"], mlp),
        part("norms", norm_paths, norms),
        part("head", &["weights;head"], head),
        part("rotary tables", &["weights;rotary"], rotary),
        part("kv cache", &["kv cache"], formula!(layers * 2 * keys * context)),
        pass("activations", 0, activations(shape, 0, prompt)),
    ];
    let bytes = parts.iter().map(|part| part.bytes).sum();
    let paths = &["weights", "kv cache", "activations"];
    parts.push(Part { name: "total", pass: 0, paths, bytes, formula: "the sum of the parts" });
    parts.push(pass("last token", 1, activations(shape, prompt + new - 2, 1)));
    parts
}

/// Returns the maximum of live bytes of activations, and its formula, for a pass that reads
/// `tokens` tokens after `start` earlier ones.
///
/// The list below contains the moments that can be the largest, for any shape.
pub(crate) fn activations(shape: &Shape, start: usize, tokens: usize) -> (u64, &'static str) {
    // All terms are bytes. Norms compute in 32 bits.
    let element = shape.dtype.size_in_bytes();
    let (wide, scales) = (4 * tokens * shape.width, 4 * tokens);
    let row = element * tokens;
    let (x, inner) = (row * shape.width, row * shape.mlp_width);
    let (queries, keys) = (row * shape.queries(), row * shape.keys());
    let seen = start + tokens;
    let (scores, sums) = (shape.heads * row * seen, shape.heads * row);
    let mask = if tokens > 1 { row * seen } else { 0 };
    let (last, logits) = (element * shape.width, element * shape.vocabulary);
    let moments = [
        formula!(x + mask + 2 * wide + scales),
        formula!(x + mask + x + queries + 2 * keys),
        formula!(x + mask + 2 * keys + 3 * queries),
        formula!(x + mask + 2 * scores + sums),
        formula!(x + mask + x + 2 * inner),
        formula!(x + mask + 3 * inner),
        formula!(last + logits),
    ];
    let (bytes, formula) = moments.into_iter().max_by_key(|(bytes, _)| *bytes).unwrap_or_default();
    (bytes as u64, formula)
}

impl Part {
    /// Returns the bytes of all elements below the part's paths.
    ///
    /// Elements are data. Dimensions, strides, counts and the model's shape are not.
    fn measured(&self, profile: &Profile) -> u64 {
        let branch = |path: &&str| path.split(';').try_fold(profile.root(), Branch::child);
        let branches = self.paths.iter().filter_map(branch).flat_map(Branch::subtree);
        let is_data = |leaf: &&Leaf| leaf.kind() == LeafKind::Data && leaf.role() != Role::Metadata;
        branches.flat_map(Branch::leaves).filter(is_data).map(Leaf::bytes).sum()
    }
}

/// Prints the predicted bytes of each part and their formulas.
pub(crate) fn print(parts: &[Part]) {
    println!("{:<13} {:>15}  formula", "part", "predicted");
    for Part { name, bytes, formula, .. } in parts {
        println!("{name:<13} {:>15}  {formula}", Units::Bytes.show(*bytes));
    }
}

/// Prints the predicted and the measured bytes of each part.
///
/// # Errors
/// Returns an error with the names of the parts that differ, if any differ.
pub(crate) fn compare(parts: &[Part], passes: &[Profile; 2]) -> Result<(), String> {
    println!("{:<13} {:>15} {:>15}", "part", "predicted", "measured");
    let mut wrong = Vec::new();
    for part @ Part { name, bytes, .. } in parts {
        let measured = part.measured(&passes[part.pass]);
        let [left, right] = [*bytes, measured].map(|bytes| Units::Bytes.show(bytes));
        println!("{name:<13} {left:>15} {right:>15}");
        wrong.extend((*bytes != measured).then_some(*name));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("predicted and measured bytes differ: {}", wrong.join(", ")))
}
