//! Work that leaks, and the messages about it.

use super::clean::block_on;
use super::{leak, stable};
use expect_test::expect;
use flate2::Compression;
use flate2::write::GzEncoder;
use memprof::heap::leak::{LeakError, check_no_leak};
use memprof::{assert_no_leak, operation};
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;

#[derive(Default)]
struct Server {
    sessions: Vec<Vec<u8>>,
    log: Vec<String>,
}

impl Server {
    #[inline(never)]
    fn handle(&mut self) {
        let answer = black_box(vec![1_u8; 500]);
        self.remember();
        drop(answer);
    }

    #[inline(never)]
    fn remember(&mut self) {
        self.sessions.push(vec![0; 1000]);
    }

    #[inline(never)]
    fn write(&mut self) {
        let _operation = operation!("write");
        self.log.push("a line".to_owned());
    }
}

/// Returns the text of the panic.
fn panic_of(work: impl FnOnce()) -> String {
    crate::without_backtraces();
    let payload = catch_unwind(AssertUnwindSafe(work)).expect_err("it panics");
    let text = *payload.downcast::<String>().expect("a panic with a message");
    assert!(text.lines().count() <= 24, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    stable(&text)
}

#[test]
fn the_call_site_and_its_callers_are_named() {
    let mut server = Server { sessions: Vec::with_capacity(1000), log: Vec::new() };
    let text = panic_of(|| assert_no_leak!(|| server.handle()));
    expect![[r#"
        assert_no_leak!(|| server.handle()): it leaks
        1,000 B in 1 block more after each round, in 58 rounds
        1,000 B in 1 block  asserts::leaks::leaking::Server::remember (tests/asserts/leaks/leaking.rs:N)
            from asserts::leaks::leaking::Server::handle (tests/asserts/leaks/leaking.rs:N)
            from …te_and_its_callers_are_named::{{closure}}::{{closure}} (tests/asserts/leaks/leaking.rs:N)
        If the memory is kept on purpose, limit its size. If it stops growing when full, use more
        rounds, such as `rounds = 100`."#]].assert_eq(&text);
}

#[inline(never)]
fn encoder() -> GzEncoder<Vec<u8>> {
    GzEncoder::new(Vec::new(), Compression::fast())
}

#[test]
fn the_user_s_line_is_named_with_the_dependency_that_allocates() {
    let mut kept = Vec::with_capacity(1000);
    let text = panic_of(|| assert_no_leak!(|| kept.push(encoder())));
    let site: Vec<&str> = text.lines().skip(2).take(3).collect();
    assert!(site[0].ends_with("encoder (tests/asserts/leaks/leaking.rs:N)"), "{text}");
    assert!(site[1].starts_with("  calls     ") && site[1].contains("(flate2-1."), "{text}");
    assert!(site[2].starts_with("  allocates ") && site[2].contains("/src/deflate/"), "{text}");
}

#[test]
fn call_sites_with_one_line_of_the_user_s_code_are_one_entry() {
    let mut kept = Vec::with_capacity(1000);
    let leak = leak(|| kept.push(encoder()));
    let text = leak.to_string();
    assert!(leak.sites.len() > 1, "{text}");
    let lines = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    let of_yours = text.lines().filter(|line| line.contains("encoder (tests/")).count();
    assert_eq!((of_yours, lines("  calls "), lines("  allocates ")), (1, 1, 1), "{text}");
    assert!(lines("  and ") > 0, "{text}");
}

#[test]
fn several_call_sites_are_sorted() {
    let mut server = Server { sessions: Vec::with_capacity(1000), log: Vec::with_capacity(1000) };
    let text = panic_of(|| {
        assert_no_leak!(rounds = 20, || {
            server.handle();
            server.write();
        });
    });
    expect![[r#"
        assert_no_leak!(|| { server.handle(); server.write(); }): it leaks
        1,006 B in 2 blocks more after each round, in 108 rounds
        1,000 B in 1 block  asserts::leaks::leaking::Server::remember (tests/asserts/leaks/leaking.rs:N)
            from asserts::leaks::leaking::Server::handle (tests/asserts/leaks/leaking.rs:N)
            from …everal_call_sites_are_sorted::{{closure}}::{{closure}} (tests/asserts/leaks/leaking.rs:N)
        6 B in 1 block  write  asserts::leaks::leaking::Server::write (tests/asserts/leaks/leaking.rs:N)
        If the memory is kept on purpose, limit its size. If it stops growing when full, use more
        rounds, such as `rounds = 100`."#]].assert_eq(&text);
}

#[test]
fn a_buffer_that_doubles_is_found() {
    let mut numbers = Vec::new();
    let leak = leak(|| numbers.push(1_u64));
    assert!(!leak.is_regular);
    assert_eq!(leak.sites.len(), 1, "{leak}");
    assert!(leak.bytes_per_round > 4.0 && leak.blocks_per_round < 0.1, "{leak}");
}

#[test]
fn a_buffer_that_doubles_each_round_fails_at_the_limit() {
    let mut doubles = vec![1_u8; 1];
    let text = panic_of(|| {
        assert_no_leak!(rounds = 1000, limit = "1 MiB", || doubles.resize(2 * doubles.len(), 1));
    });
    expect![[r#"
        assert_no_leak!(|| doubles.resize(2 * doubles.len(), 1)): it exceeds the memory limit
        2.0 MiB more are live after 18 rounds; the limit is 1.0 MiB
        786,432 B  …_round_fails_at_the_limit::{{closure}}::{{closure}} (tests/asserts/leaks/leaking.rs:N)
        If this memory is kept on purpose, raise the limit, such as `limit = "2 GiB"`."#]]
    .assert_eq(&text);
    let mut doubles = vec![1_u8; 1];
    let error = check_no_leak(1000, || doubles.resize(2 * doubles.len(), 1)).expect_err("it leaks");
    let LeakError::PastLimit(leak) = error else { panic!("{error}") };
    assert_eq!((leak.limit_bytes, leak.sites.len()), (256 << 20, 1), "{leak}");
    assert!((256 << 20..=512 << 20).contains(&leak.net_bytes), "{leak}");
}

#[test]
fn a_round_over_the_limit_is_reported() {
    let mut kept = Vec::new();
    let mut round = 0;
    let text = panic_of(|| {
        assert_no_leak!(limit = 1_000_u32, || {
            round += 1;
            if round == 4 {
                kept.push(vec![1_u8; 4096]);
            }
        });
    });
    expect![[r#"
        assert_no_leak!(|| { round += 1; if round == 4 { kept.p…): it exceeds the memory limit
        4.1 KiB more are live after 1 round; the limit is 1,000 B
        If this memory is kept on purpose, raise the limit, such as `limit = "2 GiB"`."#]]
    .assert_eq(&text);
}

#[test]
fn a_leak_at_growing_distances_is_found() {
    let (mut units, mut pages) = (0_usize, Vec::with_capacity(64));
    let leak = leak(|| {
        units += 4;
        if pages.len() < (units / 32 + 1).ilog2() as usize {
            pages.push(black_box(vec![0_u8; 16 * 1024]));
        }
    });
    let text = leak.to_string();
    assert!(!text.contains("0 blocks"), "{text}");
}

#[test]
fn a_leak_in_a_future_is_found() {
    let mut kept = Vec::with_capacity(1000);
    let leak = leak(|| block_on(async { kept.push(Box::new(1_u64)) }));
    assert_eq!((leak.bytes_per_round, leak.blocks_per_round), (8.0, 1.0));
    assert_eq!(leak.sites.len(), 1, "{leak}");
}

#[test]
fn blocks_freed_by_another_thread_are_no_leak() {
    let (sender, receiver) = mpsc::sync_channel::<Vec<u8>>(0);
    let other = std::thread::spawn(move || receiver.iter().map(|block| block.len()).sum::<usize>());
    assert_no_leak!(|| sender.send(vec![1; 1000]).expect("somebody receives"));
    drop(sender);
    assert!(other.join().expect("it ends") > 0);
}

#[test]
#[should_panic(expected = "this is the work's own")]
fn a_panic_of_the_work_propagates() {
    crate::without_backtraces();
    assert_no_leak!(|| panic!("this is the work's own"));
}

/// Returns the lines of the block of `docs/testing.md` that begins with this text.
fn shown(first: &str) -> Vec<String> {
    let page = include_str!("../../../docs/testing.md");
    let begin = page.find(&format!("```text\n{first}")).expect("the page has the block");
    let block = page[begin..].lines().skip(1).take_while(|line| *line != "```");
    block.map(stable).collect()
}

/// Returns the lines of a message, as a program with this file prints them.
fn of_program<'t>(text: &'t str, file: &'t str) -> impl Iterator<Item = String> + 't {
    let closures = |line: &&str| !line.contains("::{{closure}}::{{closure}} ");
    text.lines().filter(closures).map(move |line| {
        line.replace("asserts::leaks::leaking", "app")
            .replace("tests/asserts/leaks/leaking.rs", file)
    })
}

#[test]
fn the_page_shows_the_message_of_a_leak() {
    let mut server = Server { sessions: Vec::with_capacity(1000), log: Vec::new() };
    let text = panic_of(|| assert_no_leak!(|| server.handle()));
    let printed: Vec<String> = of_program(&text, "src/server.rs").collect();
    assert_eq!(printed, shown("assert_no_leak!"));
}

#[test]
fn the_page_shows_a_call_site_in_a_dependency() {
    let mut kept = Vec::with_capacity(1000);
    let text = panic_of(|| assert_no_leak!(|| kept.push(encoder())));
    let printed: Vec<String> = of_program(&text, "src/main.rs").skip(2).take(7).collect();
    assert_eq!(printed, shown("352,104 B"));
}
