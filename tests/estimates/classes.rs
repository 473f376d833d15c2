//! The classes of values: adversarial ones, whose samples mislead, and benign ones.

use crate::random::Random;
use crate::trials::Trial;
use memprof::MemoryProfile;
use std::collections::{BTreeMap, BTreeSet, HashMap, LinkedList, VecDeque};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// A class of values.
pub(crate) struct Class {
    pub(crate) name: &'static str,
    /// `true` if the intervals of almost all values must have an upper end.
    pub(crate) benign: bool,
    /// Creates a value and estimates it.
    pub(crate) run: fn(&mut Random, &mut Trial),
}

const fn adversarial(name: &'static str, run: fn(&mut Random, &mut Trial)) -> Class {
    Class { name, benign: false, run }
}

const fn benign(name: &'static str, run: fn(&mut Random, &mut Trial)) -> Class {
    Class { name, benign: true, run }
}

pub(crate) static CLASSES: [Class; 26] = [
    adversarial("one of a million has 99 %", |random, trial| {
        // The other elements own nothing, and the inline bytes take 24 MB.
        let mut value = vec![String::new(); 1_000_000];
        value[random.within(0, 999_999)] = String::with_capacity(99 * 24_000_000);
        trial.estimate(&value, random);
    }),
    adversarial("all share one allocation", |random, trial| {
        let shared = Arc::new(vec![0_u8; random.within(0, 100_000)]);
        trial.estimate(&vec![shared; len(random)], random);
    }),
    adversarial("some share, some handles outside", |random, trial| {
        let pool: Vec<Rc<String>> =
            (0..random.within(1, 300)).map(|_| Rc::new(text(random, 400))).collect();
        let pick = |random: &mut Random| pool[random.within(0, pool.len() - 1)].clone();
        let value: Vec<(Rc<String>, Option<Rc<String>>)> = (0..len(random))
            .map(|_| (pick(random), random.one_in(3).then(|| pick(random))))
            .collect();
        trial.estimate(&value, random);
    }),
    adversarial("one known from elsewhere", |random, trial| {
        let shared = Arc::new(text(random, 100_000));
        let value = (shared.clone(), vec![vec![shared]; len(random)]);
        trial.estimate(&value, random);
    }),
    adversarial("one known later", |random, trial| {
        let shared = Arc::new(text(random, 100_000));
        trial.estimate(&(vec![vec![shared.clone()]; len(random)], shared), random);
    }),
    adversarial("shared by chains", |random, trial| {
        let mut chains: Vec<Option<Rc<Chain>>> = vec![None];
        for _ in 0..len(random) {
            let next = chains[random.within(chains.len() / 2, chains.len() - 1)].clone();
            let next = if random.one_in(50) { None } else { next };
            chains.push(Some(Rc::new(Chain { next, bytes: vec![0; random.within(0, 40)] })));
        }
        trial.estimate(&chains, random);
        // Dropping the last chains first does not recurse.
        while chains.pop().is_some() {}
    }),
    adversarial("rare handles at an earlier slice", |random, trial| {
        let pool: Vec<Rc<String>> =
            (0..random.within(1, 300)).map(|_| Rc::new(text(random, 4000))).collect();
        let pick = |random: &mut Random| pool[random.within(0, pool.len() - 1)].clone();
        let often = random.within(100, 5000);
        let rare = (0..len(random)).map(|_| random.one_in(often).then(|| pick(random))).collect();
        let value: (Vec<Option<Rc<String>>>, Vec<Rc<String>>, Rc<String>) =
            (rare, (0..len(random)).map(|_| pick(random)).collect(), pick(random));
        trial.estimate(&value, random);
    }),
    adversarial("several handles in an element", |random, trial| {
        let most = random.within(1, 40);
        let value: Vec<Vec<(Rc<String>, Option<Rc<String>>)>> = (0..len(random) / 8)
            .map(|_| {
                let shared = Rc::new(text(random, 2000));
                let pair = |random: &mut Random| {
                    (shared.clone(), random.one_in(2).then(|| shared.clone()))
                };
                (0..random.within(1, most)).map(|_| pair(random)).collect()
            })
            .collect();
        trial.estimate(&value, random);
    }),
    adversarial("bimodal", |random, trial| {
        let (often, large) = (random.within(2, 200), random.within(1000, 20_000));
        let value: Vec<String> = (0..len(random))
            .map(|_| String::with_capacity(if random.one_in(often) { large } else { 3 }))
            .collect();
        trial.estimate(&value, random);
    }),
    adversarial("rare small among large", |random, trial| {
        let often = random.within(20, 5000);
        let value: Vec<Vec<u8>> = (0..len(random))
            .map(|_| Vec::with_capacity(if random.one_in(often) { 0 } else { 1000 }))
            .collect();
        trial.estimate(&value, random);
    }),
    adversarial("sorted by size", |random, trial| {
        let len = len(random);
        let value: Vec<String> = (0..len).map(|n| String::with_capacity(n / 16)).collect();
        trial.estimate(&value, random);
    }),
    adversarial("heavy tail in nested slices", |random, trial| {
        let value: Vec<Vec<Vec<u8>>> = (0..len(random) / 4)
            .map(|_| {
                let len = heavy(random, 2.0).min(300);
                (0..len).map(|_| Vec::with_capacity(heavy(random, 8.0))).collect()
            })
            .collect();
        trial.estimate(&value, random);
    }),
    adversarial("one B-tree", |random, trial| {
        let value: BTreeMap<u64, String> =
            (0..len(random)).map(|_| (random.next(), text(random, 60))).collect();
        trial.estimate(&value, random);
    }),
    adversarial("B-trees in a slice", |random, trial| {
        let value: Vec<BTreeSet<String>> = (0..len(random) / 4)
            .map(|_| (0..heavy(random, 1.0).min(500)).map(|_| text(random, 60)).collect())
            .collect();
        trial.estimate(&value, random);
    }),
    adversarial("one hash table", |random, trial| {
        let value: HashMap<u64, Vec<String>> = (0..len(random) / 4)
            .map(|_| (random.next(), vec![text(random, 60); random.within(0, 3)]))
            .collect();
        trial.estimate(&value, random);
    }),
    adversarial("a slice after a hash table that shares with it", |random, trial| {
        let pool: Vec<Rc<String>> =
            (0..random.within(1, 300)).map(|_| Rc::new(text(random, 2000))).collect();
        let pick = |random: &mut Random| pool[random.within(0, pool.len() - 1)].clone();
        let map: HashMap<u64, Rc<String>> =
            (0..len(random) / 4).map(|_| (random.next(), pick(random))).collect();
        let one = random.one_in(2).then(|| pick(random));
        let list: Vec<Rc<String>> = (0..len(random)).map(|_| pick(random)).collect();
        trial.estimate(&(map, one, list), random);
    }),
    adversarial("large slices in a hash table", |random, trial| {
        let value: HashMap<u64, VecDeque<String>> = (0..random.within(1, 30))
            .map(|_| {
                (random.next(), (0..random.within(0, 3000)).map(|_| text(random, 40)).collect())
            })
            .collect();
        trial.estimate(&value, random);
    }),
    adversarial("hash tables and lists in a slice", |random, trial| {
        let value: Vec<(HashMap<u32, String>, LinkedList<Box<u64>>)> = (0..len(random) / 8)
            .map(|_| {
                let map =
                    (0..heavy(random, 1.0).min(300)).map(|key| (key as u32, text(random, 30)));
                (map.collect(), (0..random.within(0, 4)).map(|_| Box::new(7)).collect())
            })
            .collect();
        trial.estimate(&value, random);
    }),
    adversarial("rare variants", |random, trial| {
        let value: Vec<Shape> = (0..len(random)).map(|_| Shape::random(random)).collect();
        trial.estimate(&value, random);
    }),
    benign("short texts", |random, trial| {
        let most = random.within(1, 60);
        let value: Vec<String> = (0..len(random)).map(|_| text(random, most)).collect();
        trial.estimate(&value, random);
    }),
    benign("rows", |random, trial| {
        let value: Vec<Row> = (0..len(random)).map(|_| Row::random(random)).collect();
        trial.estimate(&value, random);
    }),
    benign("words of lines", |random, trial| {
        let value: Vec<Vec<String>> = (0..len(random) / 4)
            .map(|_| (0..random.within(0, 12)).map(|_| text(random, 12)).collect())
            .collect();
        trial.estimate(&value, random);
    }),
    benign("rows with long tails", |random, trial| {
        let value: Vec<(Row, Vec<Row>)> = (0..len(random) / 4)
            .map(|_| {
                let rows = (0..heavy(random, 1.0).min(1000)).map(|_| Row::random(random)).collect();
                (Row::random(random), rows)
            })
            .collect();
        trial.estimate(&value, random);
    }),
    benign("boxes of tables", |random, trial| {
        let value: Vec<Option<Box<(HashMap<u32, String>, Vec<String>)>>> = (0..len(random) / 4)
            .map(|_| {
                random.one_in(2).then(|| {
                    let map = (0..random.within(0, 9)).map(|key| (key as u32, text(random, 30)));
                    Box::new((map.collect(), vec![text(random, 30); random.within(0, 9)]))
                })
            })
            .collect();
        trial.estimate(&value, random);
    }),
    benign("locked tables", |random, trial| {
        let value: Vec<Mutex<HashMap<u32, u64>>> = (0..len(random) / 4)
            .map(|_| Mutex::new((0..random.within(0, 20)).map(|key| (key as u32, 1)).collect()))
            .collect();
        trial.estimate(&Mutex::new(value), random);
    }),
    benign("handles", |random, trial| {
        let value: Vec<Arc<str>> = (0..len(random)).map(|_| Arc::from(text(random, 40))).collect();
        trial.estimate(&[value.clone(), value], random);
    }),
];

/// Returns the number of elements of a value. Large values are rare, because they take long.
fn len(random: &mut Random) -> usize {
    let most = if random.one_in(20) { 60_000 } else { 12_000 };
    random.within(2000, most)
}

/// Returns an empty string with a random capacity of at most `most` bytes.
fn text(random: &mut Random, most: usize) -> String {
    String::with_capacity(random.within(0, most))
}

/// Returns a number of a distribution with a heavy tail.
fn heavy(random: &mut Random, scale: f64) -> usize {
    (scale * (1.0 - random.share()).powf(-0.8)) as usize
}

#[derive(MemoryProfile)]
struct Chain {
    next: Option<Rc<Chain>>,
    bytes: Vec<u8>,
}

#[derive(MemoryProfile)]
#[expect(dead_code, reason = "only the profile reads the fields")]
enum Shape {
    Empty,
    Point([f64; 2]),
    Text(String),
    Nested(Vec<Shape>),
    Table(Box<BTreeMap<u32, String>>),
}

impl Shape {
    fn random(random: &mut Random) -> Self {
        match random.within(0, 999) {
            0..500 => Self::Empty,
            500..900 => Self::Point([random.share(); 2]),
            900..990 => Self::Text(text(random, 100)),
            990..999 => Self::Nested(
                (0..random.within(0, 200)).map(|_| Self::Text(text(random, 9))).collect(),
            ),
            _ => Self::Table(Box::new(
                (0..random.within(0, 2000)).map(|key| (key as u32, text(random, 50))).collect(),
            )),
        }
    }
}

#[derive(MemoryProfile)]
#[expect(dead_code, reason = "only the profile reads the fields")]
struct Row {
    id: u64,
    name: String,
    tags: Vec<u16>,
    parent: Option<Box<[u64; 4]>>,
}

impl Row {
    fn random(random: &mut Random) -> Self {
        Self {
            id: random.next(),
            name: text(random, 30),
            tags: vec![0; random.within(0, 8)],
            parent: random.one_in(3).then(|| Box::new([0; 4])),
        }
    }
}
