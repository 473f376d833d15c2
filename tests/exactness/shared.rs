//! Random handles to shared memory: several to one value, dead ones, and cycles.

use crate::cells::unclonable;
use crate::random::Random;
use crate::values::Value;
use memprof::MemoryProfile;
use memprof::walk::{Position, Walk};
use std::cell::RefCell;
use std::rc::{self, Rc};
use std::sync::{self, Arc, Mutex, PoisonError};

/// A trait for values behind `dyn`.
pub(crate) trait Object: MemoryProfile + Send + Sync {}

impl<T: MemoryProfile + Send + Sync> Object for T {}

macro_rules! pointers {
    ($($module:ident $pointer:ident;)*) => {$(
        impl<T: Value> Value for $pointer<T> {
            fn random(random: &mut Random) -> Self {
                random.container(|random| Self::new(T::random(random)))
            }

            fn several(random: &mut Random) -> Vec<Self> {
                handles(random)
            }
        }

        impl<T: Value> Value for $pointer<[T]> {
            fn random(random: &mut Random) -> Self {
                random.container(|random| Vec::random(random).into())
            }

            fn several(random: &mut Random) -> Vec<Self> {
                handles(random)
            }
        }

        impl Value for $pointer<str> {
            fn random(random: &mut Random) -> Self {
                random.container(|random| String::random(random).into())
            }

            fn several(random: &mut Random) -> Vec<Self> {
                handles(random)
            }
        }

        impl Value for $pointer<dyn Object> {
            fn random(random: &mut Random) -> Self {
                random.container(|random| match random.below(4) {
                    0 => $pointer::new(7_u8) as Self,
                    1 => $pointer::new(String::random(random)) as Self,
                    2 => $pointer::new(<[u128; 0]>::random(random)) as Self,
                    _ => $pointer::new(Vec::<u64>::random(random)) as Self,
                })
            }

            fn several(random: &mut Random) -> Vec<Self> {
                handles(random)
            }
        }

        /// A handle whose value is gone, or never existed.
        impl<T: Value> Value for $module::Weak<T> {
            fn random(random: &mut Random) -> Self {
                let pointer = $pointer::random(random);
                if random.flip() { Self::new() } else { $pointer::downgrade(&pointer) }
            }

            fn several(random: &mut Random) -> Vec<Self> {
                handles(random)
            }
        }

        /// Handles to unsized values that are gone.
        impl Value for ($module::Weak<[u32]>, $module::Weak<str>, $module::Weak<dyn Object>) {
            fn random(random: &mut Random) -> Self {
                let object = $pointer::<dyn Object>::random(random);
                let dangling: $module::Weak<dyn Object> = $module::Weak::<u16>::new();
                (
                    $pointer::downgrade(&$pointer::<[u32]>::random(random)),
                    $pointer::downgrade(&$pointer::<str>::random(random)),
                    if random.flip() { dangling } else { $pointer::downgrade(&object) },
                )
            }

            fn several(random: &mut Random) -> Vec<Self> {
                handles(random)
            }
        }
    )*};
}

pointers! {
    rc Rc;
    sync Arc;
}

unclonable! {
    () Box<dyn Object>: |random| match random.below(4) {
        0 => Box::new(()),
        1 => Box::new(3_u32),
        2 => Box::new(Arc::<str>::random(random)),
        _ => Box::new(Vec::<String>::random(random)),
    };
}

/// Returns several handles, of which some lead to the same value.
fn handles<H: Value>(random: &mut Random) -> Vec<H> {
    let mut handles: Vec<H> = Vec::new();
    for _ in 0..random.len() {
        let place = random.below(handles.len() + 1);
        let again = handles.get(place).filter(|_| random.below(3) != 0).cloned();
        handles.push(again.unwrap_or_else(|| H::random(random)));
    }
    handles
}

/// Owners, and handles that own nothing.
#[derive(Clone)]
pub(crate) struct Watched<T> {
    watchers: Vec<rc::Weak<T>>,
    owners: Vec<Rc<T>>,
}

impl<T: Value> MemoryProfile for Watched<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.watchers.owned(walk, at);
        self.owners.owned(walk, at);
    }
}

impl<T: Value> Value for Watched<T> {
    fn random(random: &mut Random) -> Self {
        let mut owners = Rc::several(random);
        let watchers = owners.iter().map(Rc::downgrade).collect();
        // Some of the watched values are gone now.
        owners.retain(|_| random.flip());
        Self { watchers, owners }
    }
}

/// A ring of cells, each of which owns the next.
pub(crate) struct Ring(Rc<Link>);

struct Link {
    next: RefCell<Option<Rc<Link>>>,
    text: String,
}

impl MemoryProfile for Link {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.next.owned(walk, at);
        self.text.owned(walk, at);
    }
}

impl MemoryProfile for Ring {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.0.owned(walk, at);
    }
}

impl Value for Ring {
    fn random(random: &mut Random) -> Self {
        let link = |random: &mut Random| {
            let text = String::random(random);
            random.container(|_| Rc::new(Link { next: RefCell::default(), text }))
        };
        let first = link(random);
        let mut last = first.clone();
        for _ in 0..random.below(20) {
            let next = link(random);
            last.next.replace(Some(next.clone()));
            last = next;
        }
        last.next.replace(Some(first.clone()));
        Self(first)
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        self.0.next.take();
    }
}

impl Clone for Ring {
    fn clone(&self) -> Self {
        Self::random(&mut Random::new(3))
    }
}

/// Two locks, each of which owns both.
pub(crate) struct Knot(Arc<Tangle>);

#[derive(Default)]
struct Tangle {
    others: Mutex<Vec<Arc<Tangle>>>,
    numbers: Vec<u16>,
}

impl MemoryProfile for Tangle {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.others.owned(walk, at);
        self.numbers.owned(walk, at);
    }
}

impl MemoryProfile for Knot {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.0.owned(walk, at);
    }
}

impl Tangle {
    fn push(&self, other: &Arc<Self>) {
        self.others.lock().unwrap_or_else(PoisonError::into_inner).push(other.clone());
    }
}

impl Value for Knot {
    fn random(random: &mut Random) -> Self {
        let numbers = (Vec::random(random), Vec::random(random));
        random.container(|random| {
            let one = Arc::new(Tangle { numbers: numbers.0, ..Tangle::default() });
            let two = Arc::new(Tangle { numbers: numbers.1, ..Tangle::default() });
            for _ in 0..random.below(4) {
                one.push(&two);
                two.push(&one);
                two.push(&two);
            }
            one.push(&one);
            Self(one)
        })
    }
}

impl Drop for Knot {
    fn drop(&mut self) {
        let mut others = self.0.others.lock().unwrap_or_else(PoisonError::into_inner);
        let others = std::mem::take(&mut *others);
        for other in others.iter().filter(|other| !Arc::ptr_eq(other, &self.0)) {
            other.others.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }
}

impl Clone for Knot {
    fn clone(&self) -> Self {
        Self::random(&mut Random::new(4))
    }
}
