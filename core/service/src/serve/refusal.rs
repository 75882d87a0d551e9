//! What a connection is told that there is no place for.

use super::listen::Protocol;
use super::stream::Stream;

const PROBLEM: &str = concat!(
    r#"{"title":"The store has too much to do, and says when to ask again.","status":503,"#,
    r#""code":"overloaded","detail":"there are as many connections as may be"}"#,
    "\n"
);

/// Says so as far as that is possible without waiting, and ends the connection with the stream.
pub(crate) fn refuse(stream: &Stream, protocol: Protocol) {
    let words = match protocol {
        Protocol::Http | Protocol::Admin => http(),
        Protocol::Resp => "-ERR max number of clients reached\r\n".to_owned(),
    };
    // Whoever does not read it sees that the connection ended.
    let _ = stream.try_write(words.as_bytes());
}

fn http() -> String {
    format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\n\
         Cache-Control: no-store\r\nRetry-After: 1\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n{PROBLEM}",
        PROBLEM.len()
    )
}

#[cfg(test)]
mod tests {
    use snowmint::Code;

    use super::*;

    #[test]
    fn the_refusal_is_a_problem_of_the_table() {
        let problem: serde_json::Value = serde_json::from_str(PROBLEM).unwrap();
        assert_eq!(problem["code"], Code::Overloaded.name());
        assert_eq!(problem["title"], Code::Overloaded.summary());
        assert!(
            http().ends_with(&format!("\r\nContent-Length: {}\r\n\r\n{PROBLEM}", PROBLEM.len()))
        );
    }
}
