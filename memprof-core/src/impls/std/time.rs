//! Points and spans of time.

use crate::impls::std::primitive::scalars;
use std::time::{Duration, Instant, SystemTime};

scalars! { Duration, Instant, SystemTime }
