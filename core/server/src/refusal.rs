//! The answer to a connection that is refused.

use std::fmt::Write;

use snowmint::Code;

use super::listen::Protocol;
use super::stream::Stream;

/// The reason for a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// The limit of connections is reached.
    Full,
    /// The address requires TLS, and the client sent something else.
    Plaintext,
}

/// Writes the refusal as far as that is possible without waiting. Dropping the stream closes the
/// connection.
pub(crate) fn refuse(stream: &Stream, protocol: Protocol, why: Why) {
    let words = match protocol {
        Protocol::Http | Protocol::Admin => why.http(),
        Protocol::Resp => why.resp().to_owned(),
    };
    // If the write fails, the client still sees the connection close.
    let _ = stream.try_write(words.as_bytes());
}

impl Why {
    const fn resp(self) -> &'static str {
        match self {
            Why::Full => "-ERR max number of clients reached\r\n",
            Why::Plaintext => "-ERR TLS is spoken here: connect by rediss://\r\n",
        }
    }

    const fn code(self) -> Code {
        match self {
            Why::Full => Code::Overloaded,
            Why::Plaintext => Code::Unsupported,
        }
    }

    fn http(self) -> String {
        let (status, reason, title, detail) = match self {
            Why::Full => {
                let detail = "there are as many connections as may be";
                (503, "Service Unavailable", "There is no place for the connection.", detail)
            }
            Why::Plaintext => {
                let detail = "TLS is spoken here: ask by https://";
                (400, "Bad Request", "The connection is not secured.", detail)
            }
        };
        let (code, url) = (self.code().name(), self.code().url());
        let mut body = format!(r#"{{"type":"{url}","title":"{title}","status":{status},"#);
        // Writing to a string does not fail.
        let _ = writeln!(body, r#""code":"{code}","detail":"{detail}"}}"#);
        let again = if self == Why::Full { "Retry-After: 1\r\n" } else { "" };
        format!(
            "HTTP/1.1 {status} {reason}\r\nContent-Type: application/problem+json\r\n\
             Cache-Control: no-store\r\n{again}Connection: close\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_a_problem_of_the_table() {
        for (why, code) in [(Why::Full, Code::Overloaded), (Why::Plaintext, Code::Unsupported)] {
            let answer = why.http();
            let (head, body) = answer.split_once("\r\n\r\n").unwrap();
            let problem: serde_json::Value = serde_json::from_str(body).unwrap();
            assert_eq!(problem["code"], code.name());
            assert_eq!(problem["type"], code.url());
            assert!(head.starts_with(&format!("HTTP/1.1 {} ", problem["status"])), "{head}");
            assert!(head.ends_with(&format!("\r\nContent-Length: {}", body.len())), "{head}");
            assert_eq!(head.contains("Retry-After"), why == Why::Full);
        }
    }
}
