//! TLS, of servers that ask for their clients' certificates.

use snowmint::{Code, open_store};

use crate::SCHEME;
use crate::asking::certificates::certificates;
use crate::asking::{patiently, refused, take};
use crate::links::tls_settings;
use crate::own_server::free_port;
use crate::server::Server;
use crate::values::with_orders;

#[test]
fn tls_is_what_the_url_says() {
    let directory = tempfile::tempdir().unwrap();
    certificates(directory.path());
    let file = |name: &str| directory.path().join(name).display().to_string();
    let (ca, other) = (file("ca.pem"), file("other.pem"));
    let port = free_port();
    let settings = tls_settings(directory.path(), port);
    let server = Server::start(&settings.each_ref().map(String::as_str));
    let plain = with_orders(server.database());
    let open = |host: &str, parameters: &str| {
        let address = format!("{SCHEME}s://{host}:{port}/{}", plain.prefix);
        take(&*open_store(&format!("{address}?connect_timeout=5&{parameters}"))?)
    };
    let (ours, none) = (format!("certfile={}", file("server.pem")), "/none.pem");
    let right = format!("cafile={ca}&{ours}&keyfile={}", file("server.key"));
    assert_eq!(patiently(|| open("localhost", &right)), 1);
    let message = refused(open("127.0.0.1", &right), Code::StoreUnavailable);
    assert!(message.contains("use the host name that it is for"), "{message}");
    let message = refused(open("localhost", &right.replace(&ca, &other)), Code::StoreUnavailable);
    assert!(message.contains("by cafile"), "{message}");
    refused(open("localhost", ""), Code::StoreUnavailable);
    // It is not told who we are, or by a key of somebody else's.
    refused(open("localhost", &format!("cafile={ca}")), Code::StoreUnavailable);
    let message = refused(
        open("localhost", &format!("cafile={ca}&{ours}&keyfile={}", file("no.key"))),
        Code::InvalidParameter,
    );
    assert!(message.contains("server.pem"), "{message}");
    for wrong in [right.replace(&file("server.key"), none), right.replace(&ca, none)] {
        let message = refused(open("localhost", &wrong), Code::InvalidParameter);
        assert!(message.contains(none), "{message}");
    }
    // One that speaks no TLS, and one that speaks nothing else.
    let without = &plain.addresses[0];
    let mixed = open_store(&format!("{SCHEME}s://{without}/?cafile={ca}&connect_timeout=2"));
    refused(mixed.map(drop), Code::StoreUnavailable);
    let mixed = open_store(&format!("{SCHEME}://localhost:{port}/?connect_timeout=2"));
    let message = refused(mixed.map(drop), Code::StoreUnavailable);
    assert!(message.contains(&format!("{SCHEME}s:")), "{message}");
}
