//! `json`: a document of a megabyte is parsed into a tree of values, which is then dropped.

use super::Work;
use memprof_benches::xorshift::Xorshift;
use serde_json::Value;
use std::fmt::Write;
use std::hint::black_box;

/// The approximate size of the document in bytes.
const BYTES: usize = 1 << 20;

pub(super) fn prepare() -> Work {
    let text = document();
    Box::new(move |times| {
        for _ in 0..times {
            let value: Value = serde_json::from_str(black_box(&text)).expect("well-formed");
            drop(black_box(value));
        }
    })
}

/// Returns records like those of services: names, numbers, short lists, and a nested object.
fn document() -> String {
    let mut random = Xorshift::new(2);
    let mut text = String::from("[");
    while text.len() < BYTES {
        if text.len() > 1 {
            text.push(',');
        }
        record(&mut random, &mut text);
    }
    text.push(']');
    text
}

fn record(random: &mut Xorshift, text: &mut String) {
    let (id, price) = (random.below(1_000_000), random.unit());
    let letters = random.between(3, 24);
    let (name, tag, city) = (random.word(letters), random.word(5), random.word(9));
    let _ = write!(
        text,
        r#"{{"id":{id},"name":"{name}","price":{price},"active":{},"tags":["{tag}","new"],"#,
        id % 2 == 0
    );
    let sizes: Vec<_> = (0..random.below(7)).map(|_| random.below(1000).to_string()).collect();
    let _ =
        write!(text, r#""sizes":[{}],"at":{{"city":"{city}","floor":null}}}}"#, sizes.join(","));
}
