//! The assertions of tests, with their arguments in a wrong form.

fn main() {
    let value = vec![0_u8; 10];
    //~ error: expected `assert_budget!(value, "1 MiB", "path" => "1 KiB")`: the value, the budget of its total, and budgets of paths
    memprof::assert_budget!(value, 1 KiB);
    //~ error: expected `assert_budget!(value, "1 MiB", "path" => "1 KiB")`: the value, the budget of its total, and budgets of paths
    memprof::assert_budget!(value, "a" => 3);
    //~ error: expected `assert_no_leak!(|| work())`; `rounds = 50` and `limit = "1 MiB"` come before the closure, in this order
    memprof::assert_no_leak!(|| drop(value), rounds = 50);
}
