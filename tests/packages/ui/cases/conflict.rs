//! Words that exclude each other, and words that are given twice.

use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Fields {
    //~ error: `follow` cannot be combined with `each`, as both choose how the field is visited: remove one of them
    #[profile(each = f, follow)]
    each_and_follow: Vec<u8>,
    //~ error: `each` cannot be combined with `keyed`, as both choose how the field is visited: remove one of them
    #[profile(keyed, each = f)]
    keyed_and_each: Vec<u8>,
    //~ error: `follow` cannot be combined with `keyed`, as both choose how the field is visited: remove one of them
    #[profile(keyed, follow)]
    keyed_and_follow: Vec<u8>,
    #[profile(keyed)]
    //~ error: `leaf` cannot be combined with `keyed`, as `leaf` would add up the entries again: remove one of them
    #[profile(leaf)]
    keyed_and_leaf: Vec<u8>,
    //~ error: `with` cannot be combined with `keyed`, as both choose how the field is visited: remove one of them
    #[profile(keyed, with = f)]
    keyed_and_with: Vec<u8>,
    //~ error: `each` cannot be combined with `skip`, as a skipped field is not visited: remove one of them
    #[profile(skip, each = f)]
    skip_and_each: Vec<u8>,
    //~ error: `follow` cannot be combined with `skip`, as a skipped field is not visited: remove one of them
    #[profile(skip, follow)]
    skip_and_follow: Vec<u8>,
    //~ error: `keyed` cannot be combined with `skip`, as a skipped field is not visited: remove one of them
    #[profile(skip, keyed)]
    skip_and_keyed: Vec<u8>,
    //~ error: `leaf` cannot be combined with `skip`, as a skipped field is not visited: remove one of them
    #[profile(skip, leaf)]
    skip_and_leaf: Vec<u8>,
    //~ error: `with` cannot be combined with `skip`, as a skipped field is not visited: remove one of them
    #[profile(skip, with = f)]
    skip_and_with: Vec<u8>,
    //~ error: `each` cannot be combined with `with`, as both choose how the field is visited: remove one of them
    #[profile(with = f, each = f)]
    with_and_each: Vec<u8>,
    //~ error: `follow` cannot be combined with `with`, as both choose how the field is visited: remove one of them
    #[profile(with = f, follow)]
    with_and_follow: Vec<u8>,
    //~ error: `skip` cannot be combined with `leaf`, as a skipped field is not visited: remove one of them
    //~ error: `follow` cannot be combined with `skip`, as a skipped field is not visited: remove one of them
    #[profile(leaf, skip, follow)]
    skip_with_two_others: Vec<u8>,
    //~ error: `leaf` is given twice: remove one of them
    #[profile(leaf, leaf)]
    twice_in_one_list: Vec<u8>,
    #[profile(rename = "a")]
    //~ error: `rename` is given twice: remove one of them
    #[profile(rename = "b")]
    twice_in_two_lists: Vec<u8>,
}

#[derive(MemoryProfile)]
//~ error: `rename` is given twice: remove one of them
#[profile(rename = "A", rename = "B")]
struct TwiceOnAType;
