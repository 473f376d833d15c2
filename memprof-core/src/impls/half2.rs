//! half 2: floating-point numbers of 16 bits, which are payload.

use crate::impls::std::scalar::impl_flat;
use half::{bf16, f16};

impl_flat! { f16, bf16 }
