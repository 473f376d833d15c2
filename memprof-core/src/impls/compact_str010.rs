//! `compact_str` 0.10: text that is stored inline up to 24 bytes.

use crate::impls::compact_text::compact_text;
use compact_str_010::CompactString;

compact_text! { CompactString, CompactString::const_new("") }
