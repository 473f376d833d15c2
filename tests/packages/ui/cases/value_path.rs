//! Wrong values of the words that take a path.

use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Fields {
    //~ error: expected a path without quotes: `each = path::to::function`
    #[profile(each = "path::to::function")]
    each_in_quotes: Vec<u8>,
    //~ error: `with` needs a path: write `with = path::to::function`
    #[profile(with = 3)]
    with_a_number: Vec<u8>,
    //~ error: expected a path without quotes: `with = path::to::function`
    #[profile(with = "path::to::function")]
    with_in_quotes: Vec<u8>,
    //~ error: `with` needs a value: write `with = path::to::function`
    #[profile(with)]
    with_without_value: Vec<u8>,
}

#[derive(MemoryProfile)]
//~ error: expected a path without quotes: `crate = memprof`
#[profile(crate = "memprof")]
struct CrateInQuotes;

#[derive(MemoryProfile)]
//~ error: expected `,` between the arguments of `#[profile(...)]`
#[profile(crate = memprof<u8>)]
struct CrateWithArguments;

#[derive(MemoryProfile)]
//~ error: `crate` needs a value: write `crate = path::to::memprof`
#[profile(crate)]
struct CrateWithoutValue;
