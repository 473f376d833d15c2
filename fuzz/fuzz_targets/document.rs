#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| memprof_parsers::recording(input));
