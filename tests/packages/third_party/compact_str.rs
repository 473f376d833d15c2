//! Random text that may be stored inline, in both versions of `compact_str`.

use crate::asserted::assert_exact;
use crate::random::Random;
use crate::values::Value;
use memprof::total_bytes;

macro_rules! texts {
    ($($name:ident: $text:ty;)*) => {$(
        impl Value for $text {
            fn random(random: &mut Random) -> Self {
                random.container(|random| {
                    let mut text: Self = match random.below(4) {
                        0 => <$text>::with_capacity(random.capacity()),
                        1 => <$text>::const_new("a text that is static and not owned at all"),
                        2 => <$text>::from(String::random(random)),
                        _ => <$text>::new(String::random(random)),
                    };
                    for _ in 0..random.below(4) {
                        match random.below(6) {
                            0 => text.push_str(&String::random(random)),
                            1 => drop(text.pop()),
                            2 => text.shrink_to_fit(),
                            3 => text = text.clone(),
                            4 => text.reserve(random.capacity()),
                            _ => text.clear(),
                        }
                    }
                    text
                })
            }
        }

        #[test]
        fn $name() {
            for len in 0..100 {
                let text = assert_exact(|| <$text>::from("x".repeat(len)));
                assert_eq!(text.is_heap_allocated(), len > 24);
            }
            let literal = <$text>::const_new("a text that is static and not owned at all");
            assert_eq!(total_bytes(&literal), 24);
        }
    )*};
}

texts! {
    short_text_of_version_0_9_is_inline: compact_str_09::CompactString;
    short_text_of_version_0_10_is_inline: compact_str_010::CompactString;
}
