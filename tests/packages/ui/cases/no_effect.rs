//! Names and roles without effect, and names that two fields have.

use memprof::MemoryProfile;

#[derive(MemoryProfile)]
enum Event {
    Moved {
        //~ error: `rename` has no effect on a field that owns nothing, because the bytes of an enum are one leaf; remove it, or set `rename` where the whole value is a field
        #[profile(rename = "left")]
        x: f64,
        path: Vec<u8>,
    },
    //~ error: `role` has no effect on a field that owns nothing, because the bytes of an enum are one leaf; remove it, or set `role` where the whole value is a field
    Resized(#[profile(role = "metadata")] u32, Vec<u8>),
    //~ error: `role` has no effect on a variant that owns nothing, because the bytes of an enum are one leaf; remove it, or set `role` where the enum is a field
    #[profile(role = "metadata")]
    Closed,
    //~ error: `rename` has no effect on a variant that owns nothing, because the bytes of an enum are one leaf; remove it, or set `rename` where the enum is a field
    #[profile(rename = "timer")]
    Ticked(u64),
}

#[derive(MemoryProfile)]
struct Message {
    //~ error: `role` has no effect on a field that owns nothing, because the bytes of an unsized type are one leaf; remove it, or set `role` where the whole value is a field
    #[profile(role = "metadata")]
    id: u32,
    #[profile(role = "metadata", rename = "subject")]
    topic: String,
    body: [u8],
}

#[derive(MemoryProfile)]
struct Generic<T: ?Sized> {
    //~ error: `rename` has no effect on a field that owns nothing, because the bytes of an unsized type are one leaf; remove it, or set `rename` where the whole value is a field
    #[profile(rename = "number")]
    id: u32,
    body: T,
}

mod geo {
    pub struct Point {
        pub x: f64,
    }
}

#[derive(MemoryProfile)]
#[profile(remote = "geo::Point")]
struct Point {
    //~ error: `rename` has no effect on a field that owns nothing, because the bytes of a mirrored type are one leaf; remove it, or set `rename` where the whole value is a field
    #[profile(rename = "left")]
    x: f64,
}

#[derive(MemoryProfile)]
struct SameNames {
    values: Vec<u8>,
    //~ error: two fields have the name `values`, so they would share one line of the profile; choose another name
    #[profile(rename = "values")]
    others: Vec<u8>,
    //~ error: two fields have the name `last`, so they would share one line of the profile; choose another name
    #[profile(rename = "last")]
    first: Vec<u8>,
    last: Vec<u8>,
}

#[derive(MemoryProfile)]
enum SameNamesOfVariants {
    One(Vec<u8>),
    //~ error: two variants have the name `One`, so they would share one line of the profile; choose another name
    #[profile(rename = "One")]
    Two(Vec<u8>),
    Three {
        left: Vec<u8>,
        //~ error: two fields have the name `left`, so they would share one line of the profile; choose another name
        #[profile(rename = "left")]
        right: Vec<u8>,
    },
}
