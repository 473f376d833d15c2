//! Points in time and durations.

use crate::impls::std::primitive::scalars;
use std::time::{Duration, Instant, SystemTime};

scalars! { Duration, Instant, SystemTime }
