// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! How the command fails. A message says what was expected and what was found, a hint what to do:
//! lower case, no full stop, one line each on standard error, and never a secret.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const ADVICE: Style = AnsiColor::Cyan.on_default().bold();

/// Why the command failed.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    message: String,
    hints: Vec<String>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Data, key or system: exit status 1.
    Failed,
    /// The command line: exit status 2.
    Usage,
    /// The reader of our output went away and knows it, so the command prints nothing; exit status 1.
    BrokenPipe,
}

impl Error {
    /// The work failed: exit status 1.
    pub fn failed(message: impl Display) -> Self {
        Self { message: message.to_string(), hints: Vec::new(), kind: Kind::Failed }
    }

    /// The command line is wrong: exit status 2.
    pub fn usage(message: impl Display) -> Self {
        Self { kind: Kind::Usage, ..Self::failed(message) }
    }

    /// The system refused; `what` names the action, as in "cannot read notes.txt".
    pub fn io(what: impl Display, error: &io::Error) -> Self {
        let kind =
            if error.kind() == io::ErrorKind::BrokenPipe { Kind::BrokenPipe } else { Kind::Failed };
        Self { kind, ..Self::failed(format_args!("{what}: {}", reason(error))) }
    }

    /// Standard output refused what was written to it.
    #[must_use]
    #[allow(clippy::needless_pass_by_value)] // the form that map_err wants
    pub fn output(error: io::Error) -> Self {
        Self::io("cannot write to standard output", &error)
    }

    /// Adds a line of advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Display) -> Self {
        self.hints.push(hint.to_string());
        self
    }

    /// Prints the error and its hints; returns the exit status.
    #[must_use]
    pub fn report(&self) -> ExitCode {
        if self.kind != Kind::BrokenPipe {
            let hints = self.hints.iter().map(|hint| line(ADVICE, "hint", hint));
            tell(&(line(ERROR, "error", &self.message) + &hints.collect::<String>()));
        }
        ExitCode::from(if self.kind == Kind::Usage { 2 } else { 1 })
    }
}

impl From<manyfish::Error> for Error {
    fn from(error: manyfish::Error) -> Self {
        Self::failed(error)
    }
}

/// Prints a note for the user.
pub fn note(text: impl Display) {
    tell(&line(ADVICE, "note", text));
}

/// Prints a warning; the work goes on.
pub fn warn(text: impl Display) {
    tell(&line(WARNING, "warning", text));
}

/// The same on a terminal only: such advice would fill the logs of scripts.
pub fn warn_at_terminal(text: impl Display) {
    if io::stderr().is_terminal() {
        warn(text);
    }
}

fn line(style: Style, label: &str, text: impl Display) -> String {
    format!("manyfish: {style}{label}:{style:#} {}\n", shown(&text.to_string()))
}

/// Escapes all characters that do not print: names of files could steer a terminal or reverse the direction of
/// the text. Quotes and backslashes stay as they are.
pub fn shown(text: &str) -> String {
    const PLAIN: [char; 3] = ['"', '\'', '\\'];
    let mut shown = String::new();
    for piece in text.split_inclusive(PLAIN) {
        let body = piece.trim_end_matches(PLAIN);
        shown.extend(body.escape_debug());
        shown += &piece[body.len()..];
    }
    shown
}

/// Writes to standard error, in colours on a terminal. A failure is ignored: a user who has closed standard
/// error wants no messages.
fn tell(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}

/// The system's reason in the manner of this command: lower case, without its number and full stop.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default().trim_end_matches('.');
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().collect::<String>() + letters.as_str()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_escaped() {
        let cases = [
            ("cannot read \"it's\\here\": no", "cannot read \"it's\\here\": no"),
            ("a\x1b[31mb\r\nc\u{9b}", "a\\u{1b}[31mb\\r\\nc\\u{9b}"),
            ("txt.\u{202e}gpj", "txt.\\u{202e}gpj"),
            ("a\u{200b}b\u{ad}c\u{2028}d\u{e0041}", "a\\u{200b}b\\u{ad}c\\u{2028}d\\u{e0041}"),
            ("e\u{301} \u{e9} \u{5d0}\u{65e5}", "e\u{301} \u{e9} \u{5d0}\u{65e5}"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected);
        }
    }
}
