//! Certificates for servers of tests, by openssl.

use std::fs;
use std::path::Path;
use std::process::Command;

fn openssl(directory: &Path, arguments: &str) {
    let arguments = arguments.split_whitespace();
    let output = Command::new("openssl").args(arguments).current_dir(directory).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// An authority (`ca.pem`), a certificate of its for `localhost` (`server.pem`), and another that nobody
/// vouches for (`other.pem`).
pub(crate) fn certificates(directory: &Path) {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(directory, &format!("req -x509 {key} -keyout ca.key -out ca.pem -days 2 -subj /CN=ca"));
    openssl(directory, &format!("req {key} -keyout server.key -out server.csr -subj /CN=server"));
    fs::write(directory.join("names"), "subjectAltName=DNS:localhost\n").unwrap();
    openssl(
        directory,
        "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names \
         -out server.pem",
    );
    openssl(
        directory,
        &format!("req -x509 {key} -keyout no.key -out other.pem -days 2 -subj /CN=no"),
    );
}
