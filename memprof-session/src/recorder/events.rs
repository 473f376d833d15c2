//! Events of operations, and the names of threads.

use super::Recorder;
use memprof_recording::document::ThreadName;

impl Recorder {
    /// Takes the new events, unless the recorder rests after a panic.
    pub(crate) fn take_events_unless_resting(&mut self, now_ns: u64) {
        if now_ns >= self.rests_until_ns {
            self.take_events();
        }
    }

    /// Takes the new events of operations, so that their buffers have room for more.
    pub(crate) fn take_events(&mut self) {
        let Some(heap) = &mut self.heap else { return };
        // A path is added before its first event. So take the paths after the events, so that no
        // event lacks its path.
        let (events, names, lost) = heap.new_events();
        self.paths.extend(heap.new_paths());
        self.lost_events += lost;
        self.add_thread_names(names);
        if !self.paths.is_empty() {
            // Without its path an event has no name, so paths are kept until they are written.
            let paths = core::mem::take(&mut self.paths);
            if !self.written(|files, _, _| files.add_paths(&paths)) {
                self.paths = paths;
            }
        }
        if !events.is_empty() {
            if self.files.is_none() {
                self.not_written.events += events.len() as u64;
            }
            self.written(|files, _, _| files.add_events(events));
        }
    }

    /// Gives the names of threads to the files, or keeps the newest ones until there are files.
    fn add_thread_names(&mut self, names: Vec<ThreadName>) {
        const MAX: usize = 4096;
        self.thread_names.extend(names);
        if let Some(files) = &mut self.files {
            files.add_thread_names(core::mem::take(&mut self.thread_names));
        }
        let excess = self.thread_names.len().saturating_sub(MAX);
        self.thread_names.drain(..excess);
    }
}
