//! chrono 0.4: points in time and durations, which are payload and own nothing.

use crate::impls::std::flat::flat;
use crate::impls::std::primitive::scalars;
use crate::{At, Kind, MemoryProfile, Walk};
use chrono::{
    DateTime, Days, FixedOffset, IsoWeek, Month, Months, NaiveDate, NaiveDateTime, NaiveTime,
    NaiveWeek, TimeDelta, TimeZone, Utc, Weekday, WeekdaySet,
};

scalars! {
    FixedOffset, IsoWeek, Month, Months, NaiveDate, NaiveDateTime, NaiveTime, NaiveWeek, TimeDelta,
    Days, Utc, Weekday, WeekdaySet,
}

flat! {
    [] chrono::ParseError;
}

/// A point in time with its offset from UTC.
impl<Z: TimeZone<Offset: MemoryProfile>> MemoryProfile for DateTime<Z> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        self.offset().owned(walk, at);
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        Self::inline(walk, at, 1);
        self.owned(walk, at);
    }

    fn inline(walk: &mut Walk<'_>, at: At, count: usize) {
        walk.leaf(at, Kind::Data, count * size_of::<Self>());
    }

    #[inline]
    fn is_flat() -> bool {
        Z::Offset::is_flat()
    }
}
