//! Functions that macros create.

use crate::counted;

macro_rules! tracked {
    ($($item:item)*) => { $(#[memprof::track] $item)* };
}

tracked! {
    fn a_whole_item() -> Vec<u8> { Vec::with_capacity(10) }
    /// Documented.
    #[must_use]
    pub(crate) fn another() -> Vec<u8> { Vec::with_capacity(20) }
}

macro_rules! in_parts {
    ($visibility:vis $name:ident($argument:ident: $ty:ty) -> $result:ty, $abi:literal, $body:block) => {
        #[memprof::track(name = "in parts")]
        $visibility extern $abi fn $name($argument: $ty) -> $result $body

        /// Uses the macro's own variable, which has the same name as the guard.
        #[memprof::track]
        fn with_a_variable() -> Vec<u8> {
            let _operation = 5;
            let kept = Vec::with_capacity(_operation);
            kept
        }
    };
}

in_parts!(pub(crate) parts(size: usize) -> Vec<u8>, "Rust", { Vec::with_capacity(size) });

macro_rules! named {
    ($name:literal) => {
        #[memprof::track(name = $name)]
        async fn named_by_a_macro() -> Option<u8> {
            let number: Option<u8> = None;
            number?.checked_add(1)
        }
    };
}

named!("by a macro");

#[test]
fn generated_functions_are_tracked() {
    drop((a_whole_item(), another(), parts(30), with_a_variable()));
    assert_eq!(counted("a_whole_item").net_bytes(), 10);
    assert_eq!(counted("another").net_bytes(), 20);
    assert_eq!(counted("in parts").net_bytes(), 30);
    assert_eq!(counted("with_a_variable").net_bytes(), 5);
    let mut future = std::pin::pin!(named_by_a_macro());
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(future.as_mut().poll(&mut context).is_ready());
    assert_eq!(counted("by a macro").calls, 1);
}
