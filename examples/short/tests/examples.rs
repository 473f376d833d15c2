//! Each example prints what its first line promises.

use memprof::session::Recording;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, fs};

/// Returns the program of an example, which `cargo test` builds beside this test.
fn example(name: &str) -> PathBuf {
    let test = env::current_exe().expect("this program has a path");
    let folder = test.ancestors().nth(2).expect("`deps` is below the profile's folder");
    let program = folder.join("examples").join(format!("{name}{}", env::consts::EXE_SUFFIX));
    assert!(program.is_file(), "`cargo test --test examples` alone builds no examples");
    program
}

fn output(name: &str) -> String {
    let output = Command::new(example(name)).output().expect("the example starts");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("the output is text")
}

fn assert_contains(output: &str, parts: &[&str]) {
    for part in parts {
        assert!(output.contains(part), "no {part:?} in:\n{output}");
    }
}

#[test]
fn tree_prints_names_sharing_and_an_exact_total() {
    let parts = ["├─ books", "3 allocations shared by 603", "exact · 608 allocations", "titles: "];
    assert_contains(&output("tree"), &parts);
}

#[test]
fn operations_prints_counts_by_name_and_samples_by_line() {
    let output = output("operations");
    assert_contains(&output, &["100 words", "split      20,000", "operations::read ("]);
}

#[test]
fn cache_weigher_keeps_the_heap_within_five_per_cent_of_the_bound() {
    let output = output("cache_weigher");
    let heap = output.lines().find_map(|line| line.split_once(" B on the heap")).expect("a line");
    let heap: i64 = heap.0.parse().expect("a number of bytes");
    assert!((heap - (16 << 20)).abs() < (16 << 20) / 20, "{output}");
}

#[test]
fn session_writes_a_recording_with_its_root_and_operation() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples-session");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the target folder is writable");
    let mut command = Command::new(example("session"));
    let output = command.env("TMPDIR", &folder).env("TEMP", &folder).env("TMP", &folder).output();
    assert!(output.expect("the example starts").status.success());
    let files = fs::read_dir(folder.join("memprof-example")).expect("the session made the folder");
    let file = files.flatten().next().expect("there is a recording").path();
    let recording = fs::read_to_string(&file).expect("it is text");
    assert_contains(&recording, &["\"messages\"", "\"join\"", "\"joined\""]);
}

#[test]
fn leak_records_growth_that_its_root_holds() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples-leak");
    let _ = fs::remove_dir_all(&folder);
    let mut command = Command::new(example("leak"));
    command.env("MEMPROF", "1").env("MEMPROF_INTERVAL", "100ms").env("MEMPROF_OUTPUT_DIR", &folder);
    assert!(command.status().expect("the example starts").success());
    let file = fs::read_dir(folder).expect("the folder is there").flatten().next();
    let recording = Recording::read_file(file.expect("there is a recording").path());
    let leaks = recording.expect("it is a recording").leak_list().to_string();
    assert_contains(&leaks, &["/s (", "held by the root sessions"]);
}

/// A server that is killed when this is dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(name: &str) -> Self {
        let mut command = Command::new(example(name));
        let mut child = command.arg("127.0.0.1:0").stdout(Stdio::piped()).spawn().expect("starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it is a pipe")).read_line(&mut line).expect("");
        let address = line.split("http://").nth(1).expect("it prints its address");
        let address = address.split(['/', '\n']).next().unwrap_or_default().to_owned();
        Self { child, address }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        let head = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("the server reads");
        let mut response = Vec::new();
        stream.read_to_end(&mut response).expect("the server answers");
        String::from_utf8_lossy(&response).into_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn axum_endpoint_answers_with_metrics_and_the_page() {
    let server = Server::start("axum_endpoint");
    assert_contains(&server.get("/metrics"), &["200 OK", "memprof_"]);
    assert_contains(&server.get("/debug/memprof"), &["200 OK", "<!DOCTYPE html>"]);
}

#[test]
fn tower_request_lists_routes_and_spawned_tasks() {
    let server = Server::start("tower_request");
    for _ in 0..3 {
        server.get("/report");
    }
    server.get("/users/7");
    let parts = ["/report", "/users/{id}", "task examples/short/examples/tower_request.rs:"];
    assert_contains(&server.get("/memory"), &parts);
}
