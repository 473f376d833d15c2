//! Values with numbers. A value keeps its number until it is removed.

use core::ops::{Index, IndexMut};

/// Values by number. The numbers of removed values are reused.
#[derive(Debug)]
pub(super) struct Slots<T> {
    values: Vec<Option<T>>,
    vacant: Vec<u32>,
}

impl<T> Slots<T> {
    pub(super) const fn new() -> Self {
        Self { values: Vec::new(), vacant: Vec::new() }
    }

    /// # Panics
    /// Panics if there are 2^32 values, whose entries would take 300 GiB.
    pub(super) fn insert(&mut self, value: T) -> u32 {
        if let Some(number) = self.vacant.pop() {
            self.values[number as usize] = Some(value);
            return number;
        }
        let number = u32::try_from(self.values.len()).expect("there are fewer than 2^32 blocks");
        self.values.push(Some(value));
        number
    }

    pub(super) fn remove(&mut self, number: u32) -> T {
        self.vacant.push(number);
        self.values[number as usize].take().expect(INVARIANT)
    }

    pub(super) fn get(&self, number: u32) -> Option<&T> {
        self.values.get(number as usize)?.as_ref()
    }

    pub(super) fn len(&self) -> usize {
        self.values.len() - self.vacant.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> + Clone {
        let numbered = self.values.iter().enumerate();
        numbered.filter_map(|(number, value)| Some((number as u32, value.as_ref()?)))
    }
}

/// The state refers only to existing values. `check` verifies this.
const INVARIANT: &str = "the state refers only to existing values";

impl<T> Index<u32> for Slots<T> {
    type Output = T;

    fn index(&self, number: u32) -> &T {
        self.values[number as usize].as_ref().expect(INVARIANT)
    }
}

impl<T> IndexMut<u32> for Slots<T> {
    fn index_mut(&mut self, number: u32) -> &mut T {
        self.values[number as usize].as_mut().expect(INVARIANT)
    }
}
