//! Words that exclude each other, and words that are given twice.

use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Fields {
    //~ error: `follow` cannot be combined with `each`, because both choose how the field is visited
    #[profile(each = f, follow)]
    each_and_follow: Vec<u8>,
    //~ error: `each` cannot be combined with `keyed`, because both choose how the field is visited
    #[profile(keyed, each = f)]
    keyed_and_each: Vec<u8>,
    //~ error: `follow` cannot be combined with `keyed`, because both choose how the field is visited
    #[profile(keyed, follow)]
    keyed_and_follow: Vec<u8>,
    #[profile(keyed)]
    //~ error: `leaf` cannot be combined with `keyed`, because `leaf` would add up the entries again
    #[profile(leaf)]
    keyed_and_leaf: Vec<u8>,
    //~ error: `with` cannot be combined with `keyed`, because both choose how the field is visited
    #[profile(keyed, with = f)]
    keyed_and_with: Vec<u8>,
    //~ error: `each` cannot be combined with `skip`, because a skipped field is not visited
    #[profile(skip, each = f)]
    skip_and_each: Vec<u8>,
    //~ error: `follow` cannot be combined with `skip`, because a skipped field is not visited
    #[profile(skip, follow)]
    skip_and_follow: Vec<u8>,
    //~ error: `keyed` cannot be combined with `skip`, because a skipped field is not visited
    #[profile(skip, keyed)]
    skip_and_keyed: Vec<u8>,
    //~ error: `leaf` cannot be combined with `skip`, because a skipped field is not visited
    #[profile(skip, leaf)]
    skip_and_leaf: Vec<u8>,
    //~ error: `with` cannot be combined with `skip`, because a skipped field is not visited
    #[profile(skip, with = f)]
    skip_and_with: Vec<u8>,
    //~ error: `each` cannot be combined with `with`, because both choose how the field is visited
    #[profile(with = f, each = f)]
    with_and_each: Vec<u8>,
    //~ error: `follow` cannot be combined with `with`, because both choose how the field is visited
    #[profile(with = f, follow)]
    with_and_follow: Vec<u8>,
    //~ error: `skip` cannot be combined with `leaf`, because a skipped field is not visited
    //~ error: `follow` cannot be combined with `skip`, because a skipped field is not visited
    #[profile(leaf, skip, follow)]
    skip_with_two_others: Vec<u8>,
    //~ error: duplicate attribute `leaf`
    #[profile(leaf, leaf)]
    twice_in_one_list: Vec<u8>,
    #[profile(rename = "a")]
    //~ error: duplicate attribute `rename`
    #[profile(rename = "b")]
    twice_in_two_lists: Vec<u8>,
}

#[derive(MemoryProfile)]
//~ error: duplicate attribute `rename`
#[profile(rename = "A", rename = "B")]
struct TwiceOnAType;
