//! The README and pages of the guide show exactly what their examples print.

use memprof::testing::assert_profile;
use memprof::{MemoryProfile, Profile, assert_budget};
use std::collections::{BTreeMap, HashMap};
use std::panic::catch_unwind;

const README: &str = include_str!("../../README.md");
const TUTORIAL: &str = include_str!("../../docs/tutorial.md");
const TESTING: &str = include_str!("../../docs/testing.md");

#[derive(MemoryProfile)]
struct Model {
    variables: Vec<Variable>,
    weights: Vec<f64>,
    index: HashMap<String, u32>,
}

#[derive(MemoryProfile)]
#[expect(dead_code, reason = "only the tree shows the bounds")]
struct Variable {
    name: String,
    bounds: (f64, f64),
}

fn assert_shown(page: &str, output: &str) {
    let output = output.trim_end();
    assert!(page.contains(&format!("```text\n{output}\n```")), "a page lacks\n{output}");
}

/// Returns the message of the panic.
fn panic_of(work: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let payload = catch_unwind(work).expect_err("it panics");
    *payload.downcast::<String>().expect("a panic with a message")
}

#[test]
fn the_readme_shows_the_tree_of_its_model() {
    let variables: Vec<Variable> =
        (0..1000).map(|i| Variable { name: format!("x{i}"), bounds: (0.0, 1.0) }).collect();
    let index = (0..).zip(&variables).map(|(i, v)| (v.name.clone(), i)).collect();
    let model = Model { variables, weights: Vec::with_capacity(4096), index };
    assert_shown(README, &Profile::of(&model).to_string());
}

#[test]
fn the_readme_shows_the_report_of_its_weights() {
    let weights = vec![0.0_f64; 4096];
    let profile = Profile::of(&weights);
    assert_shown(README, &profile.report().to_string());
}

#[test]
fn the_page_of_tests_shows_the_message_of_a_budget() {
    #[derive(MemoryProfile)]
    struct Model {
        matrix: Matrix,
        names: Vec<String>,
    }
    #[derive(MemoryProfile)]
    struct Matrix {
        values: Vec<f64>,
        col_idx: Vec<u32>,
    }
    let model = Model {
        matrix: Matrix { values: vec![0.0; 8192], col_idx: vec![0; 8192] },
        names: (0..100).map(|i| format!("row {i}")).collect(),
    };
    let message = panic_of(|| {
        assert_budget!(model, "64 KiB", "matrix;values" => "32 KiB", "matrix;cols" => "1 KiB");
    });
    assert_shown(TESTING, &message);
}

#[test]
fn the_page_of_tests_shows_the_difference_from_a_stored_profile() {
    let matrix = (vec![0.0_f64; 5000], vec![0_u32; 4096]);
    let message = panic_of(|| assert_profile!(matrix, "tests/data/profiles/matrix.json"));
    assert_shown(TESTING, &message);
}

#[test]
fn the_tutorial_shows_the_message_of_a_budget() {
    #[derive(Default, MemoryProfile)]
    struct Shop {
        carts: BTreeMap<u32, Cart>,
        log: Vec<String>,
    }
    #[derive(Default, MemoryProfile)]
    struct Cart {
        items: Vec<String>,
    }
    let shop_of = |customers: u32| {
        let mut shop = Shop::default();
        let item = std::hint::black_box("a book");
        for customer in 0..customers {
            let cart = shop.carts.entry(customer).or_default();
            cart.items.push(item.to_owned());
            shop.log.push(format!("customer {customer} added {item}"));
            if customer % 10 != 0 {
                shop.carts.remove(&customer);
            }
        }
        shop
    };
    let message = panic_of(|| assert_budget!(shop_of(1000), "32 KiB", "log" => "16 KiB"));
    let first: Vec<&str> = message.lines().take(3).collect();
    assert_shown(TUTORIAL, &first.join("\n"));
}
