trait Load {
    #[memprof::track]
    fn load() -> Vec<u8>;
}

fn main() {}
