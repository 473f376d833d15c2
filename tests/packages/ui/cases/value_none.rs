//! Values of the words that take none.

use memprof::MemoryProfile;

#[derive(MemoryProfile)]
//~ error: `shareable` takes no value: write `shareable`
#[profile(shareable = "yes")]
struct Model {
    //~ error: `follow` takes no value: write `follow`
    #[profile(follow(2))]
    follow_with_list: Vec<u8>,
    //~ error: `leaf` takes no value: write `leaf`
    #[profile(leaf = "leaf")]
    leaf_with_value: Vec<u8>,
    //~ error: `skip` takes no value: write `skip`
    #[profile(skip(all))]
    skip_with_list: Vec<u8>,
    //~ error: `skip` takes no value: write `skip`
    #[profile(skip = true)]
    skip_with_value: Vec<u8>,
}
