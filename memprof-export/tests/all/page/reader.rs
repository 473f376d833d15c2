//! A reader of pages with the same rules as the script, which `columns.rs` and `contents.rs`
//! describe.

use super::contents::{Column, Document, Head, NodeKind};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use memprof_export::Page;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;

/// The contents of a page.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) html: String,
    pub(super) head: Head,
    pub(super) document: Document,
    /// The head and the document as JSON, with all fields.
    pub(super) json: [Value; 2],
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
    /// The points at which values become unknown, with the reason.
    pub(super) gaps: Vec<(usize, String)>,
}

/// A call of a page.
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

/// Returns the content of a page's compressed element.
pub(super) fn unpacked(html: &str, id: &str) -> Vec<u8> {
    let packed = STANDARD.decode(element(html, id)).expect("it is base64");
    let mut bytes = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("it is gzip");
    bytes
}

/// Returns the text between the tags of the element with this id.
pub(super) fn element<'h>(html: &'h str, id: &str) -> &'h str {
    let (_, rest) = html.split_once(&format!("id=\"{id}\">")).expect("it has the element");
    rest.split_once('<').expect("the element ends").0
}

/// Writes a page and reads it back.
pub(super) fn written(page: &Page<'_>) -> Decoded {
    let mut html = Vec::new();
    let summary = page.write(&mut html).expect("a vector takes everything");
    assert_eq!(summary.bytes, html.len() as u64);
    read(String::from_utf8(html).expect("a page is UTF-8"))
}

fn read(html: String) -> Decoded {
    let head: Value = serde_json::from_str(element(&html, "head")).expect("the head is JSON");
    let bytes = unpacked(&html, "columns");
    let (columns, document) = Columns::of(&bytes);
    let document: Value = serde_json::from_slice(document).expect("it ends with JSON");
    let json = [head.clone(), document.clone()];
    let head: Head = serde_json::from_value(head).expect("a head");
    let document: Document = serde_json::from_value(document).expect("a document");
    let curves = document.charts.iter().flat_map(|chart| {
        chart.curves.iter().map(|curve| {
            let (times, values) = (columns.known_numbers(curve.times), columns.read(curve.values));
            assert_eq!(times.len(), values.len(), "a value for each moment");
            Curve {
                chart: chart.title.clone(),
                name: curve.name.clone(),
                points: times.into_iter().zip(values).collect(),
                gaps: curve.gaps.clone(),
            }
        })
    });
    let curves = curves.collect();
    let calls = calls(&document, &columns);
    let columns_of = &document.nodes;
    let [parents, kinds, names, devices] =
        [columns_of.parent, columns_of.kind, columns_of.name, columns_of.device]
            .map(|column| columns.indices(column));
    let nodes = (0..parents.len()).map(|node| Node {
        parent: node - parents[node],
        kind: kinds[node],
        name: names[node],
        device: devices[node],
    });
    let nodes = nodes.collect();
    let trees = document.trees.iter().map(|tree| {
        let [branches, counts] =
            [tree.branches, tree.allocations].map(|one| columns.known_numbers(one));
        assert_eq!(branches.len(), counts.len(), "a count for each branch");
        columns.indices(tree.leaves).into_iter().zip(columns.known_numbers(tree.bytes)).collect()
    });
    let trees = trees.collect();
    Decoded { html, head, document, json, curves, calls, nodes, trees }
}

fn calls(document: &Document, columns: &Columns<'_>) -> Vec<Call> {
    let lanes = document.lanes.iter();
    let threads: Vec<u32> = lanes.flat_map(|lane| vec![lane.thread; lane.count]).collect();
    let columns_of = &document.calls;
    let path = columns.indices(columns_of.path);
    let [start, duration, delta, before, others] = [
        columns_of.start,
        columns_of.duration,
        columns_of.delta,
        columns_of.before,
        columns_of.others,
    ]
    .map(|column| columns.known_numbers(column));
    let tensors = columns.read(columns_of.tensors);
    assert_eq!(path.len(), threads.len(), "each call is in a row");
    let call = |index: usize| Call {
        path: document.paths[path[index]].whole.clone(),
        thread: threads[index].into(),
        start: start[index],
        duration: duration[index],
        delta: delta[index],
        before: before[index],
        after: before[index] + delta[index] + others[index],
        tensors: tensors[index],
    };
    (0..threads.len()).map(call).collect()
}

impl Decoded {
    /// Returns the leaves of the tree with this index: paths with the device, and their bytes.
    pub(super) fn leaves(&self, tree: usize) -> BTreeMap<String, f64> {
        self.trees[tree].iter().map(|&(leaf, bytes)| (self.path(leaf), bytes)).collect()
    }

    /// Returns the leaves of one kind.
    pub(super) fn of_kind(&self, tree: usize, kind: NodeKind) -> BTreeMap<String, f64> {
        let is_of_kind = |leaf: &&(usize, f64)| self.nodes[leaf.0].kind == kind as usize;
        let leaves = self.trees[tree].iter().filter(is_of_kind);
        leaves.map(|&(leaf, bytes)| (self.path(leaf), bytes)).collect()
    }

    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn path(&self, leaf: usize) -> String {
        let mut frames = Vec::new();
        let mut at = leaf;
        loop {
            frames.push(self.document.nodes.names[self.nodes[at].name].clone());
            if at == 0 {
                break;
            }
            assert!(self.nodes[at].parent < at, "a parent comes first");
            at = self.nodes[at].parent;
        }
        frames.reverse();
        let device = &self.document.nodes.devices[self.nodes[leaf].device];
        format!("{} on {device}", frames.join(";"))
    }

    pub(super) fn notes(&self) -> &[String] {
        &self.head.notes
    }

    pub(super) fn curve(&self, chart: &str, name: &str) -> &[(f64, Option<f64>)] {
        let found = self.curves.iter().find(|curve| curve.chart == chart && curve.name == name);
        let all: Vec<_> = self.curves.iter().map(|one| (&one.chart, &one.name)).collect();
        &found.unwrap_or_else(|| panic!("no {chart}: {name} in {all:?}")).points
    }
}

/// The columns of a page.
struct Columns<'b>(Vec<Numbers<'b>>);

/// The numbers of a column, not yet decoded.
struct Numbers<'b> {
    bytes: &'b [u8],
    count: usize,
    are_changes: bool,
}

impl<'b> Columns<'b> {
    /// Returns the columns of a stream, and the document after them.
    fn of(mut stream: &'b [u8]) -> (Self, &'b [u8]) {
        let mut all = Vec::new();
        while !stream.is_empty() {
            let [length, form] = [(); 2].map(|()| whole(number(&mut stream)));
            let (bytes, rest) = stream.split_at(length);
            all.push(Numbers { bytes, count: form / 2, are_changes: form % 2 == 1 });
            stream = rest;
        }
        let document = all.pop().expect("it has a document");
        assert_eq!(document.count, 0, "the document has no numbers");
        (Self(all), document.bytes)
    }

    fn read(&self, Column(index): Column) -> Vec<Option<f64>> {
        let &Numbers { mut bytes, count, are_changes } = &self.0[index];
        let mut last = 0.0;
        let mut next = || {
            let each = number(&mut bytes)?;
            last = if are_changes { last + each } else { each };
            Some(last)
        };
        let numbers = (0..count).map(|_| next()).collect();
        assert!(bytes.is_empty(), "the header has the count of the numbers");
        numbers
    }

    fn known_numbers(&self, column: Column) -> Vec<f64> {
        self.read(column).into_iter().map(|each| each.expect("it is known")).collect()
    }

    fn indices(&self, column: Column) -> Vec<usize> {
        self.read(column).into_iter().map(whole).collect()
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

fn whole(number: Option<f64>) -> usize {
    number.expect("it is known") as usize
}
