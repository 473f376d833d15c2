//! The printed table of operations. It lists all operations of the process.

use crate::block;
use crate::own_process::in_own_process;
use expect_test::expect;
use memprof_heap::{operation, operations};

#[test]
fn operations_are_rows_within_each_other_those_that_allocate_most_first() {
    in_own_process(|| {
        expect!["no operation has ended"].assert_eq(&operations().expect("it counts").to_string());
        let kept = {
            let _import = operation!("import");
            for size in [100, 3000] {
                let _read = operation!("read\tall");
                drop(block(size));
            }
            let _parse = operation!("parse");
            block(5 << 20)
        };
        {
            let _clean = operation!("clean up");
            drop(kept);
        }
        expect![[r"
        operation    calls  allocated  blocks    freed     total   average       max     peak
        import           1    5.0 MiB       3  3.0 KiB   5.0 MiB   5.0 MiB   5.0 MiB  5.0 MiB
          parse          1    5.0 MiB       1      0 B   5.0 MiB   5.0 MiB   5.0 MiB  5.0 MiB
          read\tall      2    3.0 KiB       2  3.0 KiB       0 B       0 B       0 B  2.9 KiB
        clean up         1        0 B       0  5.0 MiB  −5.0 MiB  −5.0 MiB  −5.0 MiB      0 B
        since the program started"]]
        .assert_eq(&operations().expect("it counts").to_string());
    });
}
