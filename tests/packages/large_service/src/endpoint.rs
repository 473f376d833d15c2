//! The endpoints: 320 instances of one generic function.

use regex::Regex;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

/// The state that the endpoints share.
pub(crate) struct Service {
    cache: moka::sync::Cache<(usize, u64), String>,
    words: Regex,
    log: Mutex<Vec<String>>,
}

impl Service {
    pub(crate) fn new() -> Self {
        let words = Regex::new(r"\w+").expect("the pattern is right");
        Self { cache: moka::sync::Cache::new(1_000), words, log: Mutex::default() }
    }

    /// Keeps an entry of 400 bytes for ever: this is the leak to find.
    fn remember(&self, user: u64) {
        let entry = format!("user {user:0>395}");
        self.log.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
    }
}

/// The type of an item of one endpoint. Each endpoint has its own collections of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Item<const NUMBER: usize> {
    name: String,
    length: usize,
}

/// Answers a request, and returns the length of the answer.
fn endpoint<const NUMBER: usize>(service: &Service, request: &str) -> usize {
    let Ok(request) = serde_json::from_str::<Value>(request) else { return 0 };
    let user = request["user"].as_u64().unwrap_or_default();
    service.remember(user);
    let key = (NUMBER, user % 64);
    if let Some(answer) = service.cache.get(&key) {
        return answer.len();
    }
    let answer = answer::<NUMBER>(service, &request);
    let length = answer.len();
    service.cache.insert(key, answer);
    length
}

fn answer<const NUMBER: usize>(service: &Service, request: &Value) -> String {
    let mut sorted: BTreeMap<Item<NUMBER>, Vec<Item<NUMBER>>> = BTreeMap::new();
    let mut counted: HashMap<Item<NUMBER>, usize> = HashMap::new();
    for word in service.words.find_iter(&request.to_string()) {
        let (name, length) = (word.as_str().to_owned(), word.len());
        let item = Item::<NUMBER> { name, length };
        *counted.entry(item.clone()).or_default() += NUMBER;
        sorted.entry(item.clone()).or_default().push(item);
    }
    let mut items: Vec<_> = sorted.into_values().flatten().collect();
    items.sort_by(|a, b| b.length.cmp(&a.length).then_with(|| a.cmp(b)));
    items.dedup();
    items.retain(|item| counted.remove(item).is_some());
    format!("{items:?}")
}

/// An endpoint.
pub(crate) type Endpoint = fn(&Service, &str) -> usize;

macro_rules! endpoints {
    ($($tens:literal)*) => {
        [$(
            endpoint::<{ 10 * $tens }>, endpoint::<{ 10 * $tens + 1 }>,
            endpoint::<{ 10 * $tens + 2 }>, endpoint::<{ 10 * $tens + 3 }>,
            endpoint::<{ 10 * $tens + 4 }>, endpoint::<{ 10 * $tens + 5 }>,
            endpoint::<{ 10 * $tens + 6 }>, endpoint::<{ 10 * $tens + 7 }>,
            endpoint::<{ 10 * $tens + 8 }>, endpoint::<{ 10 * $tens + 9 }>,
        )*]
    };
}

pub(crate) static ENDPOINTS: [Endpoint; 320] = endpoints!(
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
);
