//! chrono 0.4: points in time and durations, which are payload and own nothing.

use crate::MemoryProfile;
use crate::impls::std::scalar::impl_flat;
use crate::walk::{Position, Walk};
use chrono::{
    DateTime, Days, FixedOffset, IsoWeek, Month, Months, NaiveDate, NaiveDateTime, NaiveTime,
    NaiveWeek, TimeDelta, TimeZone, Utc, Weekday, WeekdaySet,
};

impl_flat! {
    FixedOffset, IsoWeek, Month, Months, NaiveDate, NaiveDateTime, NaiveTime, NaiveWeek, TimeDelta,
    Days, Utc, Weekday, WeekdaySet,
}

impl_flat! {
    [] chrono::ParseError;
}

/// A point in time with its offset from UTC.
impl<Z: TimeZone<Offset: MemoryProfile>> MemoryProfile for DateTime<Z> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.offset().owned(walk, at);
    }

    #[inline]
    fn is_flat() -> bool {
        Z::Offset::is_flat()
    }
}
