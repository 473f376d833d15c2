//! Types that are payload and own nothing: uuid, chrono, half.

use chrono::{
    DateTime, Duration, FixedOffset, Local, Month, NaiveDate, NaiveDateTime, NaiveTime, Utc,
};
use half::{bf16, f16};
use memprof::{MemoryProfile, Profile};
use uuid::{NonNilUuid, Uuid};

macro_rules! flat {
    ($($type:ty;)*) => {
        #[test]
        fn these_types_never_own_memory() {
            fn assert_flat<T: MemoryProfile>(name: &str) {
                assert!(T::is_flat() && !std::mem::needs_drop::<T>(), "{name}");
                let spare: Vec<T> = Vec::with_capacity(3);
                let profile = Profile::of(&spare);
                assert!(profile.is_exact(), "{name}");
                assert_eq!(profile.total_bytes() as usize, 24 + 3 * size_of::<T>(), "{name}");
            }
            $(assert_flat::<$type>(stringify!($type));)*
        }
    };
}

flat! {
    Uuid; NonNilUuid; uuid::fmt::Hyphenated;
    DateTime<Utc>; DateTime<Local>; DateTime<FixedOffset>; Duration; FixedOffset; Month; NaiveDate;
    NaiveDateTime; NaiveTime; Utc;
    f16; bf16;
}
