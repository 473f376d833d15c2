//! half 2: floating-point numbers of 16 bits, which are payload.

use crate::impls::std::scalar::scalars;
use half::{bf16, f16};

scalars! { f16, bf16 }
