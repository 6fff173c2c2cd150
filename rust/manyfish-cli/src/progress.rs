// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The progress bar: on standard error, on a terminal only, and only once the work has taken a moment.

use std::cell::Cell;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter work shows nothing.
const MOMENT: Duration = Duration::from_millis(500);
/// Between two pictures of a spinner.
const TICK: Duration = Duration::from_millis(100);
const KNOWN: &str = "{wide_bar} {percent:>3}%  {binary_bytes} of {binary_total_bytes}  \
                     {binary_bytes_per_sec}  {eta} left";
const UNKNOWN: &str = "{spinner} {binary_bytes}  {binary_bytes_per_sec}";

/// Shows how much of the input has been read.
pub struct Progress<R> {
    input: R,
    read: u64,
    total: Option<u64>,
    clock: Clock,
    bar: Option<ProgressBar>,
    is_shown: bool,
    wanted: bool,
}

/// When the work began. Before that nothing is shown: a passphrase may be awaited.
#[derive(Clone, Default)]
pub struct Clock(Rc<Cell<Option<Instant>>>);

impl Clock {
    pub fn start(&self) {
        self.0.set(Some(Instant::now()));
    }

    fn elapsed(&self) -> Option<Duration> {
        self.0.get().map(|start| start.elapsed())
    }
}

impl<R> Progress<R> {
    /// `wanted` is false where the bar would run into the output.
    pub fn new(input: R, total: Option<u64>, wanted: bool, clock: &Clock) -> Self {
        Self { input, read: 0, total, clock: clock.clone(), bar: None, is_shown: false, wanted }
    }

    /// Counts bytes that were read otherwise.
    pub fn advance(&mut self, n_bytes: u64) {
        self.read += n_bytes;
        self.show();
    }

    fn show(&mut self) {
        let Some(elapsed) = self.clock.elapsed().filter(|_| self.wanted) else { return };
        let bar = self.bar.get_or_insert_with(|| unseen_bar(self.total, self.read));
        bar.set_position(self.read);
        if !self.is_shown && elapsed >= MOMENT {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            self.is_shown = true;
        }
    }
}

/// A bar that measures the speed from now on: what was read before took no time of it.
fn unseen_bar(total: Option<u64>, read: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
    let style = if total.is_some() { KNOWN } else { UNKNOWN };
    bar.set_style(ProgressStyle::with_template(style).expect("the template is constant"));
    bar.set_position(read);
    bar.reset_eta();
    bar
}

/// Shows on a terminal that work goes on whose progress nobody knows.
pub fn with_spinner<T>(what: String, work: impl FnOnce() -> T) -> T {
    let spinner = ProgressBar::new_spinner().with_message(what);
    spinner.enable_steady_tick(TICK);
    let done = work();
    spinner.finish_and_clear();
    done
}

impl<R: Read> Read for Progress<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(buffer)?;
        self.advance(n as u64);
        Ok(n)
    }
}

/// A caller that seeks back reads a second time, and the bar starts again.
impl<R: Seek> Seek for Progress<R> {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.read = self.input.seek(place)?;
        Ok(self.read)
    }
}

impl<R> Drop for Progress<R> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
