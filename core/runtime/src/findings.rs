//! Findings about a host or a store.

use snowmint_engine::Code;

use crate::error::{Error, escaped};

pub(crate) mod places;

/// The assessment of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// It is as it should be.
    Ok,
    /// It works, with weaker guarantees. The finding says what can be lost or late.
    Weaker,
    /// It does not work: a source would be refused.
    Refused,
    /// It could not be examined, mostly because a permission is missing. It may be right or wrong.
    Unseen,
}

impl Verdict {
    /// The stable name: `ok`, `weaker`, `refused` or `unseen`.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::Weaker => "weaker",
            Verdict::Refused => "refused",
            Verdict::Unseen => "unseen",
        }
    }
}

/// The result of one examination. Each text is one line, [`escaped`] and without passwords.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The subject in a word or two, always the same for the same question.
    pub subject: &'static str,
    /// The assessment.
    pub verdict: Verdict,
    /// The code with which a source or the question is refused.
    pub code: Option<Code>,
    /// The fact that was found. For a failed call, it also says what would be right.
    pub found: String,
    /// The remedy, if one is needed.
    pub cure: Option<String>,
}

impl Finding {
    pub(crate) fn ok(subject: &'static str, found: impl AsRef<str>) -> Finding {
        Finding::new(subject, Verdict::Ok, found.as_ref())
    }

    pub(crate) fn weaker(
        subject: &'static str,
        found: impl AsRef<str>,
        cure: impl AsRef<str>,
    ) -> Finding {
        Finding::new(subject, Verdict::Weaker, found.as_ref()).cured_by(cure.as_ref())
    }

    pub(crate) fn refused(
        subject: &'static str,
        code: Code,
        found: impl AsRef<str>,
        cure: impl AsRef<str>,
    ) -> Finding {
        let finding = Finding::new(subject, Verdict::Refused, found.as_ref());
        Finding { code: Some(code), ..finding }.cured_by(cure.as_ref())
    }

    /// A call failed that sources make as well.
    pub(crate) fn failed(subject: &'static str, error: &Error) -> Finding {
        let finding = Finding::new(subject, Verdict::Refused, &error.to_string());
        Finding { code: Some(error.code()), ..finding }.cured_by(cure_of(error.code()))
    }

    /// A question remained without an answer.
    pub(crate) fn unseen(subject: &'static str, error: &Error) -> Finding {
        let finding = Finding::hidden(subject, format!("could not be seen: {error}"));
        Finding { code: Some(error.code()), ..finding }
    }

    pub(crate) fn hidden(subject: &'static str, found: impl AsRef<str>) -> Finding {
        Finding::new(subject, Verdict::Unseen, found.as_ref())
    }

    fn new(subject: &'static str, verdict: Verdict, found: &str) -> Finding {
        Finding { subject, verdict, code: None, found: escaped(found).into_owned(), cure: None }
    }

    pub(crate) fn cured_by(self, cure: &str) -> Finding {
        Finding { cure: Some(escaped(cure).into_owned()), ..self }
    }
}

/// The remedy for a call that failed with this code, in addition to its message.
fn cure_of(code: Code) -> &'static str {
    match code {
        Code::StoreUnavailable | Code::WaitTimeout => {
            "see that it runs, and that this machine reaches it: name, port, what stands between"
        }
        Code::StoreDenied => "check the user and the password, and give the user what is named",
        Code::StoreMissing => "check the URL; `snowmint migrate` makes what is not there",
        Code::StoreSchema => {
            "put back what differs, from a backup or by its owner's script, or name a store that is \
             snowmint's"
        }
        Code::StoreCorrupt => "restore it from a backup, or name a file that is snowmint's",
        Code::StoreReadOnly => {
            "allow this user to write there, or name the server that takes changes"
        }
        Code::StoreLocked => "have the process that keeps a transaction open end it",
        Code::StoreFull => "make room on its disk, or give it more memory",
        Code::Overloaded => "end connections that nobody needs, or allow more",
        Code::UnsafeSetting => "set what is named so that nothing acknowledged is taken back",
        Code::IncarnationChanged => {
            "name the store that is meant; after a failover or a restore, run `snowmint recover URL`"
        }
        _ => "do what is said there, and look again",
    }
}
