//! What does this value hold? `cargo run -p memprof-examples --example tree`

use memprof::{MemoryProfile, Profile};
use std::collections::HashMap;
use std::sync::Arc;

#[derive(MemoryProfile)]
struct Library {
    books: Vec<Book>,
    by_author: HashMap<Arc<str>, Vec<usize>>,
}

#[derive(MemoryProfile)]
struct Book {
    title: String,
    author: Arc<str>,
}

fn main() {
    let mut library = Library { books: Vec::new(), by_author: HashMap::new() };
    for author in ["Woolf", "Joyce", "Kafka"].map(Arc::from) {
        for volume in 0..200 {
            let title = format!("{author}, collected works, volume {volume}");
            library.by_author.entry(Arc::clone(&author)).or_default().push(library.books.len());
            library.books.push(Book { title, author: Arc::clone(&author) });
        }
    }
    let profile = Profile::of(&library);
    println!("{profile}\n");
    println!("titles: {} B", profile.bytes_at("books;title").unwrap_or_default());
    println!("{}", profile.report()); // by purpose, with advice
}
