//! A program with memprof's allocator and no session. The tests of `memprof run` run it.

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

fn main() {
    println!("{}", std::env::args().count());
}
