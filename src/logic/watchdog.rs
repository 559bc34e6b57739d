//! A watchdog for Z3: it interrupts what runs for too long, or when the word to stop is said.
//!
//! One thread for each context, not for each question. The lock is held while it interrupts, so an interrupt always
//! falls into the question that it is meant for, or directly behind it.

use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use z3::Context;

use crate::config::Stop;

/// An interrupt that was not heard is repeated after this time.
const AGAIN: Duration = Duration::from_millis(100);

/// It listens for the word to stop this often: a signal can set a flag, and wake nobody.
const LISTEN: Duration = Duration::from_millis(50);

/// Watches the questions to one context.
pub(super) struct Watchdog<'a> {
    stop: &'a Stop,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// When the running question is interrupted.
    end: Option<Instant>,
    /// When it looks again by itself; `None` if it sleeps until it is called.
    next: Option<Instant>,
    /// It has heard the word to stop.
    heard: bool,
    bitten: bool,
    dismissed: bool,
}

impl Watchdog<'_> {
    /// Does `work` while a watchdog guards the context.
    pub(super) fn guard<T>(context: &Context, stop: &Stop, work: impl FnOnce(&Watchdog<'_>) -> T) -> T {
        let state = State { end: None, next: None, heard: false, bitten: false, dismissed: false };
        let watchdog = Watchdog { stop, state: Mutex::new(state), changed: Condvar::new() };
        std::thread::scope(|scope| {
            let handle = context.handle();
            let guard = &watchdog;
            scope.spawn(move || guard.stay(|| handle.interrupt()));
            // Also if the work panics: else its thread would never end.
            let _dismissal = Dismissal(&watchdog);
            work(&watchdog)
        })
    }

    /// Does `question`; if it is not over by `end`, it is interrupted.
    pub(super) fn watch<T>(&self, end: Instant, question: impl FnOnce() -> T) -> T {
        let mut state = self.lock();
        // Looking again by itself could be too late for this question.
        let call = state.next.is_none_or(|next| end < next);
        state.end = Some(end);
        drop(state);
        if call {
            self.changed.notify_one();
        }
        let result = question();
        self.lock().end = None;
        result
    }

    /// Whether a question was interrupted.
    pub(super) fn has_bitten(&self) -> bool {
        self.lock().bitten
    }

    fn stay(&self, interrupt: impl Fn()) {
        let mut state = self.lock();
        while !state.dismissed {
            let Some(end) = state.end else {
                state.next = None;
                state = self.changed.wait(state).unwrap_or_else(|broken| broken.into_inner());
                continue;
            };
            let now = Instant::now();
            let is_stopped = !state.heard && self.stop.is_said();
            if end <= now || is_stopped {
                state.heard |= is_stopped;
                interrupt();
                state.bitten = true;
                state.end = Some(Instant::now() + AGAIN);
                continue;
            }
            let next = end.min(now + LISTEN);
            state.next = Some(next);
            state = self.changed.wait_timeout(state, next - now).unwrap_or_else(|broken| broken.into_inner()).0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves the state as good as it was.
        self.state.lock().unwrap_or_else(|broken| broken.into_inner())
    }
}

/// Sends the watchdog away when it is dropped.
struct Dismissal<'a>(&'a Watchdog<'a>);

impl Drop for Dismissal<'_> {
    fn drop(&mut self) {
        self.0.lock().dismissed = true;
        self.0.changed.notify_one();
    }
}
