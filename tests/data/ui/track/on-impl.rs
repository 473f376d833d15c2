struct Model;

#[memprof::track]
impl Model {
    fn load() -> Self {
        Self
    }
}

fn main() {}
