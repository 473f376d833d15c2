//! Attributes that are no list of known words.

use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Fields {
    //~ error: expected a list, such as `#[profile(role = "metadata")]`
    #[profile()]
    empty_list: Vec<u8>,
    //~ error: expected a list, such as `#[profile(role = "metadata")]`
    #[profile = "skip"]
    equals_instead_of_list: Vec<u8>,
    //~ error: expected a list, such as `#[profile(role = "metadata")]`
    #[profile]
    without_list: Vec<u8>,
    //~ error: `skip` needs no quotes: write `skip`
    #[profile("skip")]
    in_quotes: Vec<u8>,
    //~ error: expected an attribute such as `skip`, without quotes
    #[profile("some text")]
    text: Vec<u8>,
    //~ error: expected an attribute such as `skip`
    #[profile(3)]
    number: Vec<u8>,
    //~ error: expected `,` between the arguments of `#[profile(...)]`
    #[profile(leaf rename = "x")]
    missing_comma: Vec<u8>,
    //~ error: unknown attribute `skp`; did you mean `skip`?
    #[profile(skp)]
    misspelt: Vec<u8>,
    //~ error: unknown attribute `ignore`; did you mean `skip`?
    #[profile(ignore)]
    of_another_derive: Vec<u8>,
    //~ error: unknown attribute `memprof` on a field; expected one of `skip`, `leaf`, `rename`, `with`, `each`, `role`, `keyed`, `follow`
    #[profile(memprof::skip)]
    path: Vec<u8>,
    //~ error: unknown attribute `compressed` on a field; expected one of `skip`, `leaf`, `rename`, `with`, `each`, `role`, `keyed`, `follow`
    #[profile(compressed)]
    unknown: Vec<u8>,
}

#[derive(MemoryProfile)]
//~ error: unknown attribute `skp` on a type; expected one of `rename`, `shareable`, `bound`, `crate`, `remote`
#[profile(skp)]
struct UnknownOnAType;

#[derive(MemoryProfile)]
//~ error: unknown attribute `crat`; did you mean `crate`?
//~ error: a name cannot be empty; remove `rename` to keep the name in the code
#[profile(crat = memprof, rename = "")]
struct SeveralMistakes {
    //~ error: unknown attribute `lef`; did you mean `leaf`?
    //~ error: `rename` needs a value: write `rename = "name"`
    #[profile(lef, rename)]
    one: Vec<u8>,
    //~ error: expected an attribute such as `skip`
    //~ error: `skip` takes no value: write `skip`
    #[profile(role = "data", , skip = 3)]
    two: Vec<u8>,
}
