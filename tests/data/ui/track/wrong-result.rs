#[memprof::track]
async fn load() -> Result<u8, String> {
    "text"
}

#[memprof::track]
fn store() -> u8 {
    "text"
}

fn main() {}
