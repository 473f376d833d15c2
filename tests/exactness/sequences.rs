//! Random vectors, queues, heaps and lists, and boxes of their contents.

use crate::random::Random;
use crate::values::{Key, Value};
use std::collections::{BinaryHeap, LinkedList, VecDeque};
use std::mem;
use std::pin::Pin;

impl<T: Value> Value for Vec<T> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut values = match random.below(4) {
                0 => Self::new(),
                1 => Self::with_capacity(random.capacity()),
                _ => T::several(random),
            };
            for _ in 0..random.below(4) {
                change_vec(&mut values, random);
            }
            values
        })
    }
}

fn change_vec<T: Value>(values: &mut Vec<T>, random: &mut Random) {
    match random.below(15) {
        0 => values.push(T::random(random)),
        1 => values.extend(T::several(random)),
        2 => values.truncate(random.capacity()),
        3 => values.shrink_to_fit(),
        4 => values.shrink_to(random.capacity()),
        5 => *values = values.clone(),
        6 => *values = values.split_off(values.len() / 2),
        7 => values.append(&mut T::several(random)),
        8 => values.retain(|_| random.flip()),
        9 => drop(values.extract_if(.., |_| random.flip()).collect::<Vec<T>>()),
        10 => drop(values.drain(values.len() / 3..)),
        11 => values.clear(),
        12 => drop(mem::take(values)),
        13 => values.reserve_exact(random.capacity()),
        _ => *values = VecDeque::from(mem::take(values)).into(),
    }
}

impl<T: Value> Value for VecDeque<T> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut values = match random.below(4) {
                0 => Self::with_capacity(random.capacity()),
                1 => Self::from(Vec::random(random)),
                _ => T::several(random).into(),
            };
            for _ in 0..random.below(5) {
                change_deque(&mut values, random);
            }
            values
        })
    }
}

fn change_deque<T: Value>(values: &mut VecDeque<T>, random: &mut Random) {
    match random.below(12) {
        0 => (0..random.len()).for_each(|_| values.push_front(T::random(random))),
        1 => (0..random.len()).for_each(|_| values.push_back(T::random(random))),
        2 => drop(values.drain(..values.len() / 2)),
        3 => values.rotate_left(values.len() / 3),
        4 => drop(values.make_contiguous()),
        5 => values.shrink_to_fit(),
        6 => *values = values.clone(),
        7 => *values = values.split_off(values.len() / 2),
        8 => values.append(&mut T::several(random).into()),
        9 => values.retain(|_| random.flip()),
        10 => values.clear(),
        _ => values.truncate(random.capacity()),
    }
}

impl<T: Key> Value for BinaryHeap<T> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut values = match random.below(3) {
                0 => Self::with_capacity(random.capacity()),
                _ => T::several(random).into(),
            };
            for _ in 0..random.below(4) {
                match random.below(6) {
                    0 => values.push(T::random(random)),
                    1 => drop(values.pop()),
                    2 => values.shrink_to_fit(),
                    3 => values.append(&mut T::several(random).into()),
                    4 => values.retain(|_| random.flip()),
                    _ => values.clear(),
                }
            }
            values
        })
    }
}

impl<T: Value> Value for LinkedList<T> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut values: Self = T::several(random).into_iter().collect();
            for _ in 0..random.below(4) {
                match random.below(7) {
                    0 => values.push_front(T::random(random)),
                    1 => values.push_back(T::random(random)),
                    2 => drop(values.pop_front()),
                    3 => values = values.split_off(values.len() / 2),
                    4 => values.append(&mut T::several(random).into_iter().collect()),
                    5 => values = values.clone(),
                    _ => values.clear(),
                }
            }
            values
        })
    }
}

impl<T: Value> Value for Box<T> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| Self::new(T::random(random)))
    }
}

impl<T: Value> Value for Pin<Box<T>> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| Box::pin(T::random(random)))
    }
}

impl<T: Value> Value for Box<[T]> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| Vec::random(random).into_boxed_slice())
    }
}
