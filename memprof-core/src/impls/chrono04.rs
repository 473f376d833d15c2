//! chrono 0.4: points in time and durations, which are payload and own nothing.

use crate::MemoryProfile;
use crate::impls::std::scalar::impl_flat;
use crate::impls::std::wrapper::holders;
use chrono::{
    DateTime, Days, FixedOffset, IsoWeek, Month, Months, NaiveDate, NaiveDateTime, NaiveTime,
    NaiveWeek, ParseError, TimeDelta, TimeZone, Utc, Weekday, WeekdaySet,
};

impl_flat! {
    FixedOffset, IsoWeek, Month, Months, NaiveDate, NaiveDateTime, NaiveTime, NaiveWeek, TimeDelta,
    Days, ParseError, Utc, Weekday, WeekdaySet,
}

// A point in time with its offset from UTC.
holders! {
    [Z: TimeZone<Offset: MemoryProfile>] DateTime<Z> => Z::Offset: |time| Some(time.offset());
}
