//! Random text: with spare capacity, shrunk, cloned, boxed.

use crate::random::Random;
use crate::values::Value;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::path::{Path, PathBuf};

impl Value for String {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let len = random.below(24);
            let mut text = match random.below(3) {
                0 => Self::with_capacity(random.capacity()),
                1 => Self::new(),
                _ => "x".repeat(len),
            };
            for _ in 0..random.below(3) {
                match random.below(6) {
                    0 => text.push_str("more of the same"),
                    1 => text.clear(),
                    2 => text.shrink_to_fit(),
                    3 => text = text.clone(),
                    4 => text = text.split_off(text.len() / 2),
                    _ => text.push('y'),
                }
            }
            text
        })
    }
}

/// Each row has a type of text, and how to create it from a `String`.
macro_rules! made_of_text {
    ($($text:ty: $make:expr;)*) => {$(
        impl Value for $text {
            fn random(random: &mut Random) -> Self {
                $make(String::random(random))
            }
        }
    )*};
}

made_of_text! {
    OsString: OsString::from;
    PathBuf: PathBuf::from;
    CString: |text: String| CString::new(text).expect("no zero in it");
    Box<str>: String::into_boxed_str;
    Box<OsStr>: |text| OsString::from(text).into_boxed_os_str();
    Box<Path>: |text| PathBuf::from(text).into_boxed_path();
    Box<CStr>: |text: String| CString::new(text).expect("no zero in it").into_boxed_c_str();
}
