//! Processes: forks, daemons, programs that are executed, and ways to end.

use super::{Host, Outcome};
use crate::Part;
use crate::observed::{on_exit, say};
use memprof_test_support::unix as system;
use std::process::Command;
use std::thread;
use std::time::Duration;

pub(super) fn fork(host: &Host) -> Outcome {
    let recorder = host.start(None)?;
    host.work(600);
    let child = system::fork();
    if child == 0 {
        system::close_from(3);
        let written = host.write_files("child");
        system::exit_at_once(if written.is_ok() { 0 } else { 5 });
    }
    host.write_files("parent")?;
    say(&format!("the child ended with {}", system::wait_for(child)));
    recorder.checkpoint();
    recorder.finish();
    Ok(())
}

pub(super) fn closefrom(host: &Host) -> Outcome {
    let recorder = host.start(None)?;
    host.work(600);
    system::close_from(3);
    host.write_files("after")?;
    let refused = Vec::<u8>::new().try_reserve(usize::MAX / 4).is_err();
    say(&format!("a block that is too large is refused: {refused}"));
    thread::sleep(Duration::from_millis(100));
    recorder.checkpoint();
    host.write_files("later")?;
    recorder.finish();
    Ok(())
}

pub(super) fn daemonise(host: &Host) -> Outcome {
    let recorder = host.start(None)?;
    host.work(600);
    if system::fork() > 0 {
        recorder.finish();
        return Ok(());
    }
    system::new_session();
    if system::fork() > 0 {
        system::exit_at_once(0);
    }
    system::close_from(3);
    let written = host.write_files("daemon");
    recorder.checkpoint();
    recorder.finish();
    // The driver waits for this file.
    std::fs::write(host.own.join("done"), format!("{}\n", written.is_ok()))?;
    std::process::exit(0);
}

pub(super) fn execute(host: &Host) -> Outcome {
    let recorder = host.start(None)?;
    host.work(600);
    let listed = Command::new("ls").arg("/proc/self/fd").output()?;
    say(&format!("descriptors:\n{}", String::from_utf8_lossy(&listed.stdout)));
    let masks = Command::new("grep").args(["^Sig[BIC]", "/proc/self/status"]).output()?;
    say(&format!("signals:\n{}", String::from_utf8_lossy(&masks.stdout)));
    let variables = Command::new("env").output()?.stdout;
    let variables = String::from_utf8_lossy(&variables).lines().count();
    say(&format!("{variables} variables"));
    recorder.finish();
    Ok(())
}

pub(super) fn exit_from_thread(host: &Host) -> Outcome {
    on_exit();
    let _recorder = host.start(None)?;
    host.work(600);
    thread::spawn(|| std::process::exit(3));
    loop {
        thread::sleep(Duration::from_millis(1));
    }
}

pub(super) fn exit_from_profile(host: &Host) -> Outcome {
    on_exit();
    let _recorder = host.start(Some(Part::Exits))?;
    // In the plain program no part calls `exit`, so the program exits here.
    thread::sleep(Duration::from_secs(1));
    std::process::exit(9);
}

pub(super) fn main_returns(host: &Host) -> Outcome {
    on_exit();
    let recorder = host.start(None)?;
    host.work(600);
    // Statics are not dropped, so the session still exists when the process exits.
    std::mem::forget(recorder);
    Ok(())
}

pub(super) fn no_threads(host: &Host) -> Outcome {
    system::drop_privileges();
    system::limit_threads(0);
    let recorder = host.start(None)?;
    host.work(600);
    recorder.finish();
    Ok(())
}

pub(super) fn out_of_memory(host: &Host) -> Outcome {
    let _recorder = host.start(None)?;
    host.work(600);
    system::limit_memory(1 << 30);
    let block = std::hint::black_box(vec![1_u8; 4 << 30]);
    say(&format!("{} bytes were not refused", block.len()));
    Ok(())
}
