//! Every type of std that has an impl; if one goes missing, this file does not compile.

use memprof::{MemoryProfile, Profile};
use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::cell::{Cell, LazyCell, OnceCell, RefCell, UnsafeCell};
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::error::Error;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::hash::{BuildHasherDefault, DefaultHasher, RandomState};
use std::marker::{PhantomData, PhantomPinned};
use std::mem::{Discriminant, ManuallyDrop, MaybeUninit};
use std::num::{NonZero, NonZeroU8, Saturating, Wrapping};
use std::ops::{
    Bound, ControlFlow, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive,
};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::ptr::NonNull;
use std::rc::{self, Rc};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize};
use std::sync::{self, Arc, LazyLock, Mutex, Once, OnceLock, RwLock, mpsc};
use std::time::{Duration, Instant, SystemTime};
use std::{alloc, fs, io, net, process, task, thread};

/// A type without an impl, so the memory it owns is unknown.
struct Unknown;

macro_rules! implemented {
    ($($type:ty;)*) => {
        #[test]
        fn these_types_of_std_have_impls() {
            fn implements<T: MemoryProfile + ?Sized>() {}
            $(implements::<$type>();)*
        }
    };
}

implemented! {
    str; OsStr; Path; CStr; [u8]; [String; 3];
    String; OsString; PathBuf; CString; Box<str>; Cow<'static, str>; Cow<'static, [u8]>;
    Vec<u8>; VecDeque<u8>; BinaryHeap<u8>; LinkedList<u8>;
    HashMap<u8, u8>; HashSet<u8>; BTreeMap<u8, u8>; BTreeSet<u8>;
    Box<u8>; Box<[u8]>; Rc<u8>; Arc<u8>; rc::Weak<u8>; sync::Weak<u8>;
    Rc<str>; Arc<[u8]>; Rc<Mutex<[u8]>>; Arc<RefCell<[u8]>>;
    Pin<Box<u8>>; Pin<Rc<u8>>; Pin<Arc<u8>>; Pin<&'static Unknown>; Pin<&'static mut Unknown>;
    Option<u8>; Result<u8, String>; Bound<u8>; task::Poll<u8>; ControlFlow<u8, String>;
    Cell<u8>; RefCell<u8>; OnceCell<u8>; LazyCell<u8>; UnsafeCell<Unknown>;
    Mutex<u8>; RwLock<u8>; OnceLock<u8>; LazyLock<u8>; sync::Condvar; sync::Barrier; Once;
    mpsc::Sender<Unknown>; mpsc::SyncSender<Unknown>; mpsc::Receiver<Unknown>;
    thread::Thread; thread::ThreadId; thread::JoinHandle<Unknown>; task::Waker;
    Box<dyn Any>; Box<dyn Any + Send>; Box<dyn Error>; Box<dyn Error + Send + Sync>;
    Box<dyn Fn()>; Box<dyn FnMut(u8) -> Unknown + Send>; Box<dyn FnOnce(Unknown, u8)>;
    Box<dyn Fn(&Unknown) -> bool>; Arc<dyn Fn(&mut Unknown) + Send + Sync>;
    Pin<Box<dyn Future<Output = Unknown> + Send>>;
    io::Cursor<Vec<u8>>; io::BufReader<fs::File>; io::BufWriter<fs::File>;
    io::LineWriter<fs::File>; io::Error; process::Command; process::Output; fs::DirEntry;
    MaybeUninit<Unknown>; ManuallyDrop<String>; AssertUnwindSafe<String>; Reverse<String>;
}

macro_rules! flat {
    ($($type:ty;)*) => {
        #[test]
        fn these_types_of_std_never_own_memory() {
            fn assert_flat<T: MemoryProfile>(name: &str) {
                assert!(T::is_flat(), "{name}");
                let spare: Vec<T> = Vec::with_capacity(3);
                let profile = Profile::of(&spare);
                assert!(profile.is_exact(), "{name}");
                assert_eq!(profile.total_bytes() as usize, size_of::<Vec<T>>() + 3 * size_of::<T>(), "{name}");
            }
            $(assert_flat::<$type>(stringify!($type));)*
        }
    };
}

flat! {
    u8; u16; u32; u64; u128; usize; i8; i16; i32; i64; i128; isize; f32; f64; bool; char; ();
    NonZeroU8; NonZero<i128>; NonZero<char>; Wrapping<u8>; Saturating<u8>;
    AtomicBool; AtomicU64; AtomicUsize; AtomicPtr<Unknown>; sync::atomic::Ordering;
    &'static str; &'static Unknown; &'static mut Unknown; &'static [Unknown]; &'static dyn Any;
    *const Unknown; *mut [u8]; NonNull<Unknown>; NonNull<dyn Any>;
    fn(); fn(Unknown) -> Unknown; unsafe fn(u8, u8); extern "C" fn(u8) -> u8;
    unsafe extern "C" fn(u8, u8, u8); fn(&Unknown) -> bool; fn(&mut u8);
    fn(u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8) -> u8;
    PhantomData<Unknown>; PhantomData<dyn Any>; PhantomPinned; std::convert::Infallible; Ordering;
    Range<u8>; RangeFrom<u8>; RangeTo<u8>; RangeInclusive<u8>; RangeToInclusive<u8>; RangeFull;
    Duration; Instant; SystemTime; TypeId; alloc::Layout; thread::ThreadId;
    Discriminant<Unknown>; task::Poll<u8>;
    RandomState; DefaultHasher; BuildHasherDefault<Unknown>;
    net::IpAddr; net::Ipv4Addr; net::Ipv6Addr; net::SocketAddr; net::SocketAddrV4;
    net::TcpStream; net::TcpListener; net::UdpSocket; fs::File; fs::Metadata; process::ExitStatus;
    io::Empty; io::Sink; io::Stdin; io::Stdout; io::Stderr; io::SeekFrom;
    [u8; 3]; [String; 0]; (u8, u16); Option<u8>; Result<u8, u16>; Bound<u8>; Reverse<u8>;
    Cell<u8>; OnceCell<u8>; OnceLock<u8>; ManuallyDrop<u8>; AssertUnwindSafe<u8>;
}
