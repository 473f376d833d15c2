//! `Option`, `Result` and `Cow`: their inline bytes are one leaf, and the active variant's memory
//! is below it.

use crate::MemoryProfile;
use crate::tally::Tally;
use crate::walk::{Field, Position, Shape, Walk};
use std::borrow::Cow;

impl<T: MemoryProfile> MemoryProfile for Option<T> {
    #[inline]
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if let Some(value) = self {
            value.owned(walk, at);
        }
    }

    #[inline]
    fn tally<'a>(&'a self, tally: &mut Tally, walk: &mut Walk<'a>, at: Position) {
        // The variant is hard to predict, so `None` is counted as an empty value, without a branch.
        if let Some(empty) = T::empty() {
            self.as_ref().unwrap_or(empty).tally(tally, walk, at);
            return;
        }
        let mut own = Tally::new();
        if let Some(value) = self {
            value.tally(&mut own, walk, at);
        }
        tally.merge(own);
    }

    #[inline]
    fn settle(tally: Tally, walk: &mut Walk<'_>, at: Position) {
        T::settle(tally, walk, at);
    }

    #[inline]
    fn is_tallied() -> bool {
        T::is_tallied()
    }

    #[inline]
    fn is_flat() -> bool {
        T::is_flat()
    }
}

impl<T: MemoryProfile, E: MemoryProfile> MemoryProfile for Result<T, E> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let fields = walk.fields(at, Self::shape());
        match self {
            Ok(value) => value.owned(walk, fields.at(0)),
            Err(error) => error.owned(walk, fields.at(1)),
        }
    }

    fn shape() -> &'static Shape {
        const { &Shape::lump::<Self>(const { &[Field::frame("Ok"), Field::frame("Err")] }) }
    }

    #[inline]
    fn is_flat() -> bool {
        T::is_flat() && E::is_flat()
    }
}

/// A borrowed `Cow` owns nothing: references are not followed.
impl<B: ToOwned<Owned: MemoryProfile> + ?Sized> MemoryProfile for Cow<'_, B> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if let Cow::Owned(value) = self {
            value.owned(walk, at);
        }
    }
}
