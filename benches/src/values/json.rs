//! A recursive enum like JSON: three million nodes.

use crate::{Bar, Large, Peer, Subject, Workload, peers, xorshift::Xorshift};
use allocative::Allocative;
use deepsize::DeepSizeOf;
use get_size2::GetSize;
use memprof::MemoryProfile;

/// A [`Json`] of three million nodes.
pub const WORKLOAD: Workload = Workload {
    name: "recursive enum",
    bar: Bar::OverHand(1.0),
    beats_allocative: true,
    size: 3_000_000,
    large: Large::Gibibyte,
    build: |size| Subject::new(|| build(size), exact, peers()),
};

/// A JSON document.
#[derive(Debug, MemoryProfile, GetSize, DeepSizeOf, Allocative)]
pub enum Json {
    /// `null`.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A string.
    Text(String),
    /// A list.
    Array(Vec<Self>),
    /// Named values.
    Object(Vec<(String, Self)>),
}

fn peers() -> Vec<Peer<Json>> {
    let [tree, total] = peers::memprof();
    let [allocative_total, allocative_tree] = peers::allocative();
    vec![
        tree,
        total,
        peers::absent(peers::MEM_DBG, "its derive bounds every field's type: E0275"),
        peers::get_size2(),
        peers::deepsize(),
        peers::absent(peers::DATASIZE, "its derive bounds every field's type: E0275"),
        allocative_total,
        allocative_tree,
    ]
}

/// Returns a document of about `size` nodes, at most eight levels deep below the top.
pub fn build(size: usize) -> Json {
    let mut random = Xorshift::new(6);
    let mut left = size;
    let mut top = Vec::new();
    while left > 0 {
        top.push(node(&mut random, 0, &mut left));
    }
    Json::Array(top)
}

fn node(random: &mut Xorshift, depth: usize, left: &mut usize) -> Json {
    *left = left.saturating_sub(1);
    let inner = depth < 8 && (depth < 3 || random.below(4) == 0);
    match (inner, random.below(if inner { 2 } else { 6 })) {
        (true, 0) => Json::Array(children(random, |random| node(random, depth + 1, left))),
        (true, _) => Json::Object(children(random, |random| {
            let letters = random.between(3, 12);
            (random.word(letters), node(random, depth + 1, left))
        })),
        (false, 0) => Json::Null,
        (false, 1) => Json::Bool(random.below(2) == 0),
        (false, 2 | 3) => Json::Number(random.unit()),
        (false, _) => {
            let letters = random.below(24);
            Json::Text(random.word(letters))
        }
    }
}

fn children<T>(random: &mut Xorshift, mut child: impl FnMut(&mut Xorshift) -> T) -> Vec<T> {
    (0..random.below(9)).map(|_| child(random)).collect()
}

/// Returns the exact bytes.
pub fn exact(json: &Json) -> usize {
    size_of_val(json) + owned(json)
}

fn owned(json: &Json) -> usize {
    match json {
        Json::Null | Json::Bool(_) | Json::Number(_) => 0,
        Json::Text(text) => text.capacity(),
        Json::Array(values) => {
            let mut bytes = values.capacity() * size_of::<Json>();
            for value in values {
                bytes += owned(value);
            }
            bytes
        }
        Json::Object(entries) => {
            let mut bytes = entries.capacity() * size_of::<(String, Json)>();
            for (name, value) in entries {
                bytes += name.capacity() + owned(value);
            }
            bytes
        }
    }
}
