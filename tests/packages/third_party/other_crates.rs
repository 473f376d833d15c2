//! The examples of `docs/values.md`: types of crates that memprof has no feature for.
#![expect(unsafe_code, reason = "a handle of a C library is passed to it")]

use memprof::Profile;
use memprof::tree::{Branch, OpaqueReason};

const PAGE: &str = include_str!("../../../docs/values.md");
const THIS_FILE: &str = include_str!("other_crates.rs");

#[global_allocator]
static ALLOC: memprof::Allocator =
    memprof::Allocator::system().starting_at(memprof::heap::Level::Counters);

/// Returns why a profile is not exact, with the number of values for each reason.
fn reasons(profile: &Profile) -> Vec<(OpaqueReason, u64)> {
    profile.root().subtree().flat_map(Branch::opaque).collect()
}

/// Returns the lines of a string without the space around them.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).collect()
}

#[test]
fn each_example_of_the_page_is_compiled_here() {
    let here = lines(THIS_FILE);
    let mut examples = 0;
    for block in PAGE.split("```rust,ignore\n").skip(1) {
        let (example, _) = block.split_once("\n```").expect("a block ends");
        let example = lines(example);
        let is_here = here.windows(example.len()).any(|window| window == example);
        assert!(is_here, "not in this file:\n{}", example.join("\n"));
        examples += 1;
    }
    assert_eq!(examples, 5);
}

/// `regex::Regex`: measured while it is made.
mod a_regex {
    use memprof::MemoryProfile;
    use memprof::heap::Measured;
    use regex::Regex;

    #[derive(MemoryProfile)]
    struct Filter {
        pattern: Measured<Regex>,
        hits: Vec<String>,
    }

    fn filter(pattern: &str) -> Result<Filter, regex::Error> {
        let pattern = Measured::try_new(|| Regex::new(pattern))?;
        Ok(Filter { pattern, hits: Vec::new() })
    }

    #[test]
    fn is_counted_with_its_bytes_at_construction() {
        let mut filter = filter(r"[a-z]+@[a-z]+\.org").expect("it is a pattern");
        let bytes = filter.pattern.bytes().expect("it is counted");
        assert!((1 << 10..1 << 20).contains(&bytes), "{bytes}");
        if filter.pattern.is_match("who@example.org") {
            filter.hits.push(String::from("who"));
        }
        let profile = super::Profile::of(&filter);
        let own = size_of::<Measured<Regex>>() as u64;
        assert_eq!(profile.bytes_at("pattern"), Some(own + bytes));
        assert_eq!(super::reasons(&profile), [(super::OpaqueReason::Measured, 1)]);
    }
}

/// `syn::File`, as a whole.
mod a_measured_syntax_tree {
    use memprof::MemoryProfile;
    use memprof::heap::Measured;

    #[derive(MemoryProfile)]
    struct Source {
        path: String,
        file: Measured<syn::File>,
    }

    fn parse(path: String, text: &str) -> syn::Result<Source> {
        let file = Measured::try_new(|| syn::parse_file(text))?;
        Ok(Source { path, file })
    }

    #[test]
    fn grows_with_its_text() {
        let bytes = |text: &str| {
            let source = parse(String::from("lib.rs"), text).expect("it is Rust");
            assert_eq!(source.path, "lib.rs");
            source.file.bytes().expect("it is counted")
        };
        let (empty, full) = (bytes(""), bytes(super::THIS_FILE));
        assert_eq!(empty, 0);
        assert!(full > super::THIS_FILE.len() as u64, "{full}");
    }
}

/// `syn::File`, by its public fields.
mod a_named_syntax_tree {
    use memprof::MemoryProfile;

    #[derive(MemoryProfile)]
    #[profile(remote = "syn::File")]
    struct File {
        shebang: Option<String>,
        #[profile(skip)]
        attrs: Vec<syn::Attribute>,
        #[profile(each = Item::owned)]
        items: Vec<syn::Item>,
    }

    // The values of all other variants are marked.
    #[derive(MemoryProfile)]
    #[profile(remote = "syn::Item")]
    #[non_exhaustive]
    enum Item {
        Fn(#[profile(with = Function::owned)] syn::ItemFn),
    }

    // The other fields are marked too.
    #[derive(MemoryProfile)]
    #[profile(remote = "syn::ItemFn")]
    #[non_exhaustive]
    struct Function {
        #[profile(each = Block::owned)]
        block: Box<syn::Block>,
    }

    #[derive(MemoryProfile)]
    #[profile(remote = "syn::Block")]
    struct Block {
        #[profile(skip)]
        brace_token: syn::token::Brace,
        #[profile(skip)]
        stmts: Vec<syn::Stmt>,
    }

    #[derive(MemoryProfile)]
    struct Source {
        path: String,
        #[profile(with = File::owned)]
        file: syn::File,
    }

    #[test]
    fn counts_what_the_mirrors_list() {
        let file =
            syn::parse_file("#!/bin/run\nfn a() {} fn b() {} struct C;").expect("it is Rust");
        let items = file.items.capacity() * size_of::<syn::Item>();
        let shebang = file.shebang.as_ref().map_or(0, String::capacity);
        let blocks = 2 * size_of::<syn::Block>();
        let source = Source { path: String::new(), file };
        let profile = super::Profile::of(&source);
        let expected = size_of_val(&source) + items + shebang + blocks + source.path.len();
        assert_eq!(profile.total_bytes(), expected as u64, "{profile}");
        assert_eq!(profile.bytes_at("file;items;Fn;block"), Some(blocks as u64), "{profile}");
        let marked = |why| super::reasons(&profile).iter().filter(|mark| mark.0 == why).count();
        let foreign = "the struct `C`, the other fields of functions";
        assert_eq!(marked(super::OpaqueReason::Foreign), 2, "{foreign}");
        assert_eq!(marked(super::OpaqueReason::Skipped), 2, "`attrs` of the file, `stmts`");
    }
}

/// `moka::sync::Cache`: its values through its iterator.
mod a_cache {
    use memprof::MemoryProfile;
    use memprof::tree::OpaqueReason;
    use memprof::walk::{Position, Walk};
    use moka::sync::Cache;
    use std::sync::Arc;

    #[derive(MemoryProfile)]
    struct Pages {
        #[profile(with = profile_cache)]
        cache: Cache<u64, Arc<String>>,
    }

    fn profile_cache(cache: &Cache<u64, Arc<String>>, walk: &mut Walk<'_>, at: Position) {
        for (_number, page) in cache {
            // The iterator returns clones of the handles, which live until the next step.
            walk.guarded(Box::new(page), at);
        }
        // The entries, the queues and the policy are private.
        walk.opaque(at, OpaqueReason::Foreign);
    }

    #[test]
    fn counts_its_values_and_is_marked() {
        let pages = Pages { cache: Cache::new(100) };
        for number in 0..10 {
            pages.cache.insert(number, Arc::new("x".repeat(1000)));
        }
        let profile = super::Profile::of(&pages);
        let value = 16 + size_of::<String>() + 1000;
        assert_eq!(profile.total_bytes(), (size_of::<Pages>() + 10 * value) as u64, "{profile}");
        assert_eq!(super::reasons(&profile), [(OpaqueReason::Foreign, 1)]);
    }
}

/// The bindings of a C library.
mod image_sys {
    pub(super) struct Image {
        pub(super) bytes: usize,
    }

    /// Returns the memory of an image.
    ///
    /// # Safety
    /// The image was not freed.
    pub(super) unsafe extern "C" fn image_bytes(image: *const Image) -> usize {
        // SAFETY: the image was not freed.
        unsafe { (*image).bytes }
    }
}

/// A handle of a C library, which returns the size of what it allocated.
mod a_handle_of_a_c_library {
    use super::image_sys;

    use memprof::MemoryProfile;
    use memprof::walk::{Position, Walk};

    /// An image that a C library allocated.
    struct Image {
        handle: *const image_sys::Image,
    }

    impl MemoryProfile for Image {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            // SAFETY: the library frees the image when this value is dropped, and not before.
            let bytes = unsafe { image_sys::image_bytes(self.handle) };
            walk.allocation(at, bytes, bytes);
        }
    }

    #[test]
    fn counts_what_the_library_returns() {
        let image = image_sys::Image { bytes: 4096 };
        let profile = super::Profile::of(&[Image { handle: &raw const image }]);
        assert_eq!(profile.total_bytes(), 8 + 4096);
        assert!(profile.is_exact());
    }
}
