//! Reads a page back, by the same rules as its script: `columns.rs` and `body.rs` say them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use memprof_export::Page;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;

/// What a page says.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) html: String,
    pub(super) head: Value,
    pub(super) document: Value,
    pub(super) curves: Vec<Curve>,
    pub(super) calls: Vec<Call>,
    nodes: Vec<Node>,
    trees: Vec<Vec<(usize, f64)>>,
}

/// A curve: its chart, its name, and its points.
#[derive(Debug)]
pub(super) struct Curve {
    pub(super) chart: String,
    pub(super) name: String,
    pub(super) points: Vec<(f64, Option<f64>)>,
    /// The points from which on it is not known, and why.
    pub(super) gaps: Vec<(usize, String)>,
}

/// A call as the page has it.
#[derive(Debug, PartialEq)]
pub(super) struct Call {
    pub(super) path: String,
    pub(super) thread: u64,
    pub(super) start: f64,
    pub(super) duration: f64,
    pub(super) delta: f64,
    pub(super) before: f64,
    pub(super) after: f64,
    pub(super) tensors: Option<f64>,
}

#[derive(Debug)]
struct Node {
    parent: usize,
    kind: usize,
    name: usize,
    device: usize,
}

/// What a page's compressed element holds.
pub(super) fn unpacked(html: &str, id: &str) -> Vec<u8> {
    let packed = STANDARD.decode(element(html, id)).expect("it is base64");
    let mut bytes = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("it is gzip");
    bytes
}

/// What is between the tags of the element of that name.
pub(super) fn element<'h>(html: &'h str, id: &str) -> &'h str {
    let (_, rest) = html.split_once(&format!("id=\"{id}\">")).expect("it has the element");
    rest.split_once('<').expect("the element ends").0
}

/// Writes a page, and reads it back.
pub(super) fn written(page: &Page<'_>) -> Decoded {
    let mut html = Vec::new();
    let said = page.write(&mut html).expect("a vector takes everything");
    assert_eq!(said.bytes, html.len() as u64);
    read(String::from_utf8(html).expect("a page is UTF-8"))
}

fn gaps(gaps: &Value) -> Vec<(usize, String)> {
    let all = gaps.as_array().into_iter().flatten();
    all.map(|gap| (index(&gap[0]), text(&gap[1]))).collect()
}

fn read(html: String) -> Decoded {
    let head: Value = serde_json::from_str(element(&html, "head")).expect("the head is JSON");
    let bytes = unpacked(&html, "columns");
    let mut columns = Columns(&bytes);
    let document: Value = serde_json::from_slice(columns.next()).expect("it begins with JSON");
    let list = |key: &str| document[key].as_array().expect(key).clone();
    let times: Vec<Vec<f64>> = list("times").iter().map(|_| sums(&columns.numbers())).collect();
    let mut curves = Vec::new();
    for chart in list("charts") {
        for curve in chart["curves"].as_array().expect("charts have curves") {
            let times = &times[index(&curve["times"])];
            let values = known_sums(&columns.numbers());
            assert_eq!(times.len(), values.len(), "a value for each moment");
            curves.push(Curve {
                chart: text(&chart["title"]),
                name: text(&curve["name"]),
                points: times.iter().copied().zip(values).collect(),
                gaps: gaps(&curve["gaps"]),
            });
        }
    }
    let calls = calls(&document, &mut columns);
    let [parents, kinds, names, devices] = [(); 4].map(|()| columns.numbers());
    let nodes: Vec<Node> = (0..index(&document["nodes"]))
        .map(|node| Node {
            parent: node - whole(parents[node]),
            kind: whole(kinds[node]),
            name: whole(names[node]),
            device: whole(devices[node]),
        })
        .collect();
    let trees = list("trees").into_iter().map(|_| {
        let (leaves, amounts) = (sums(&columns.numbers()), columns.numbers());
        let (branches, counts) = (columns.next(), columns.next());
        assert!(branches.len() <= 9 * counts.len().max(1), "a count for each branch");
        let amounts = amounts.into_iter().map(|amount| amount.expect("bytes are known"));
        leaves.into_iter().map(|leaf| leaf as usize).zip(amounts).collect()
    });
    let trees = trees.collect();
    assert!(columns.0.is_empty(), "nothing is behind the last column");
    Decoded { html, head, document, curves, calls, nodes, trees }
}

fn calls(document: &Value, columns: &mut Columns<'_>) -> Vec<Call> {
    let paths = document["paths"].as_array().expect("it has paths");
    let lanes = document["lanes"].as_array().expect("it has lanes").iter();
    let threads: Vec<u64> = lanes
        .flat_map(|lane| vec![lane["thread"].as_u64().expect("a number"); index(&lane["count"])])
        .collect();
    let path = columns.numbers();
    let start = sums(&columns.numbers());
    let [duration, delta] = [(); 2].map(|()| columns.numbers());
    let before = sums(&columns.numbers());
    let [others, tensors] = [(); 2].map(|()| columns.numbers());
    assert_eq!(index(&document["calls"]), threads.len(), "each call is in a row");
    let call = |index: usize| Call {
        path: text(&paths[whole(path[index])]["whole"]),
        thread: threads[index],
        start: start[index],
        duration: duration[index].expect("known"),
        delta: delta[index].expect("known"),
        before: before[index],
        after: before[index] + delta[index].expect("known") + others[index].expect("known"),
        tensors: tensors[index],
    };
    (0..threads.len()).map(call).collect()
}

impl Decoded {
    /// The leaves of the tree of that index: paths with the device, and their bytes.
    pub(super) fn leaves(&self, tree: usize) -> BTreeMap<String, f64> {
        self.trees[tree].iter().map(|&(leaf, bytes)| (self.path(leaf), bytes)).collect()
    }

    /// Leaves of a kind, as `report.d.ts` numbers it.
    pub(super) fn of_kind(&self, tree: usize, kind: usize) -> BTreeMap<String, f64> {
        let leaves = self.trees[tree].iter().filter(|leaf| self.nodes[leaf.0].kind == kind);
        leaves.map(|&(leaf, bytes)| (self.path(leaf), bytes)).collect()
    }

    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    fn path(&self, leaf: usize) -> String {
        let mut frames = Vec::new();
        let mut at = leaf;
        loop {
            frames.push(text(&self.document["names"][self.nodes[at].name]));
            if at == 0 {
                break;
            }
            assert!(self.nodes[at].parent < at, "a parent comes first");
            at = self.nodes[at].parent;
        }
        frames.reverse();
        let device = text(&self.document["devices"][self.nodes[leaf].device]);
        format!("{} on {device}", frames.join(";"))
    }

    pub(super) fn notes(&self) -> Vec<String> {
        self.head["notes"].as_array().expect("it has notes").iter().map(text).collect()
    }

    pub(super) fn curve(&self, chart: &str, name: &str) -> &[(f64, Option<f64>)] {
        let found = self.curves.iter().find(|curve| curve.chart == chart && curve.name == name);
        let all: Vec<_> = self.curves.iter().map(|one| (&one.chart, &one.name)).collect();
        &found.unwrap_or_else(|| panic!("no {chart}: {name} in {all:?}")).points
    }
}

/// Columns that are still to be read.
struct Columns<'b>(&'b [u8]);

impl<'b> Columns<'b> {
    fn next(&mut self) -> &'b [u8] {
        let length = whole(number(&mut self.0));
        let (column, rest) = self.0.split_at(length);
        self.0 = rest;
        column
    }

    fn numbers(&mut self) -> Vec<Option<f64>> {
        let mut column = self.next();
        let mut numbers = Vec::new();
        while !column.is_empty() {
            numbers.push(number(&mut column));
        }
        numbers
    }
}

fn number(bytes: &mut &[u8]) -> Option<f64> {
    let mut take = || {
        let (&first, rest) = bytes.split_first().expect("a number ends");
        *bytes = rest;
        first
    };
    let mut byte = take();
    let negative = byte & 1 == 1;
    let mut amount = f64::from((byte >> 1) & 63);
    let mut unit = 64.0;
    while byte > 127 {
        byte = take();
        amount += f64::from(byte & 127) * unit;
        unit *= 128.0;
    }
    match (negative, amount == 0.0) {
        (true, true) => None,
        (true, false) => Some(-amount),
        (false, _) => Some(amount),
    }
}

fn sums(changes: &[Option<f64>]) -> Vec<f64> {
    known_sums(changes).into_iter().map(|sum| sum.expect("it is known")).collect()
}

fn known_sums(changes: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut last = 0.0;
    let sum = |change: &Option<f64>| {
        change.map(|change| {
            last += change;
            last
        })
    };
    changes.iter().map(sum).collect()
}

fn whole(number: Option<f64>) -> usize {
    number.expect("it is known") as usize
}

fn index(value: &Value) -> usize {
    value.as_u64().expect("it is an index") as usize
}

fn text(value: &Value) -> String {
    value.as_str().expect("it is a text").to_owned()
}
