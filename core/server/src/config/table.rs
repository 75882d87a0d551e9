//! The table of settings: each with its type, its default value, its range and its meaning.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::thread::available_parallelism;

use serde::{Deserialize, Serialize};

use super::list::list;
use super::settings::Setting;
use crate::address::Address;
use crate::log::Format;
use crate::template::Template;

/// Defines [`Config`], a structure for each of its sections, their default values, and the list of
/// all settings. A setting stands as `name: type = default => marks "meaning";`. The marks are
/// methods of [`Setting`].
macro_rules! settings {
    (
        $($top:ident: $top_type:ty = $top_default:expr =>
            $($top_mark:ident($($top_mark_of:expr),*))* $top_help:literal;)*
        $($(#[$about:meta])* [$section:ident] $structure:ident {
            $($(#[$attribute:meta])* $name:ident: $type:ty = $default:expr =>
                $($mark:ident($($mark_of:expr),*))* $help:literal;)*
        })*
    ) => {
        /// Everything that `snowmint serve` can be told.
        #[derive(Clone, Debug, Deserialize, Serialize)]
        #[serde(default, deny_unknown_fields)]
        pub(crate) struct Config {
            $(pub(crate) $top: $top_type,)*
            $(pub(crate) $section: $structure,)*
            /// The URLs of sources, by the names that clients ask for.
            pub(crate) sources: BTreeMap<String, String>,
            /// True if no source is configured, so that the only one is the default.
            #[serde(skip)]
            pub(crate) has_default_source: bool,
        }

        impl Default for Config {
            fn default() -> Config {
                Config {
                    $($top: $top_default,)*
                    $($section: $structure::default(),)*
                    sources: BTreeMap::new(),
                    has_default_source: false,
                }
            }
        }

        $(
            $(#[$about])*
            #[derive(Clone, Debug, Deserialize, Serialize)]
            #[serde(default, deny_unknown_fields)]
            pub(crate) struct $structure {
                $($(#[$attribute])* pub(crate) $name: $type,)*
            }

            impl Default for $structure {
                fn default() -> $structure {
                    $structure { $($name: $default,)* }
                }
            }
        )*

        /// Every setting but the sources, in the order in which they are shown.
        pub static SETTINGS: &[Setting] = &[
            $(Setting::new(stringify!($top), $top_help)$(.$top_mark($($top_mark_of),*))*,)*
            $($(
                Setting::new(concat!(stringify!($section), ".", stringify!($name)), $help)
                    $(.$mark($($mark_of),*))*,
            )*)*
        ];
    };
}

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// The proof that clients of other servers need, which know nothing of our tokens.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FrontsAsk {
    /// Nothing.
    Open,
    /// A token, as everybody: with them, nobody mints around the others.
    Token,
}

fn on_loopback(port: u16) -> Address {
    Address::Tcp((Ipv4Addr::LOCALHOST, port).into())
}

/// Returns one event loop for each core.
fn event_loops() -> u32 {
    available_parallelism().map_or(1, |cores| cores.get().min(256) as u32)
}

settings! {
    event_loops: u32 = event_loops() => between(1, 256) fixed()
        "Event loops, each on its own thread: one per core unless set";
    allow_plaintext: bool = false =>
        "Listen on addresses off loopback without TLS";

    /// The HTTP protocol.
    [http] Http {
        #[serde(deserialize_with = "list")]
        listen: Vec<Address> = vec![on_loopback(8064)] => fixed()
            "Addresses of HTTP. Port 0 takes a free port, unix:PATH is a Unix socket, and an empty \
             list turns HTTP off";
        get: bool = false =>
            "Let GET mint as POST does, although proxies may repeat or prefetch it";
        #[serde(deserialize_with = "list")]
        origins: Vec<String> = Vec::new() =>
            "Origins whose pages may ask, for example https://shop.example; * for all";
    }

    /// The Redis protocol.
    [resp] Resp {
        #[serde(deserialize_with = "list")]
        listen: Vec<Address> = vec![on_loopback(6064)] => fixed()
            "Addresses of the Redis protocol, written as those of HTTP";
        idle_ms: u32 = 3_600_000 => between(100, DAY_MS)
            "Close a connection of the Redis protocol after this time without a command, in ms";
    }

    /// HTTP for operators, and for what watches over the service.
    [admin] Admin {
        #[serde(deserialize_with = "list")]
        listen: Vec<Address> = vec![on_loopback(8065)] => fixed()
            "Addresses of HTTP for operators: metrics, health checks, the page and changes";
        #[serde(deserialize_with = "list")]
        hosts: Vec<String> = Vec::new() =>
            "Names by which operators reach them, besides localhost and IP addresses";
        changes: bool = false =>
            "Let operators change tags and end leases even if one of these addresses is off \
             loopback";
    }

    /// TLS of both protocols over TCP.
    [tls] Tls {
        certificate: PathBuf = PathBuf::new() => called("FILE") kept()
            "The certificate and its chain, a PEM file; without it, TCP is plaintext";
        key: PathBuf = PathBuf::new() => called("FILE") kept()
            "The certificate's private key, a PEM file that others may not read";
        client_ca: PathBuf = PathBuf::new() => called("FILE") kept()
            "Authorities, a PEM file; each client then needs a certificate of theirs";
    }

    /// The largest amounts.
    [limits] Limits {
        connections: u32 = 10_000 => between(1, 1_000_000)
            "The most connections at once, over HTTP and the Redis protocol together";
        header_bytes: u32 = 16_384 => between(8_192, 1 << 20)
            "The most bytes of a request's line and headers";
        body_bytes: u32 = 4_096 => between(256, 1 << 20)
            "The most bytes of a request's body";
        count: u32 = 10_000 => between(1, 1_000_000)
            "The most IDs of one request";
        range_count: u32 = 1_000_000 => between(1, 1 << 30)
            "The most numbers of one request as ranges";
        rate: u32 = 0 => between(0, 1 << 30)
            "IDs per second, and at once, for an address without a token; 0 means no limit";
    }

    /// The longest times.
    [timeouts] Timeouts {
        handshake_ms: u32 = 5_000 => between(100, HOUR_MS)
            "Close a connection whose TLS handshake takes longer, in ms";
        request_ms: u32 = 10_000 => between(100, HOUR_MS)
            "Close a connection whose request or command takes longer to arrive, in ms";
        idle_ms: u32 = 75_000 => between(100, DAY_MS)
            "Close an HTTP connection after this time without a request, and any connection whose \
             client does not read, in ms";
        connection_age_ms: u32 = 3_600_000 => between(1_000, DAY_MS)
            "Close a connection at this age, or up to a tenth earlier, so that clients spread, in \
             ms";
        drain_ms: u32 = 0 => between(0, HOUR_MS)
            "Keep serving for this time after the signal to stop, while /readyz says no, in ms";
        stop_ms: u32 = 5_000 => between(100, 600_000)
            "The time that requests under way get at the stop, in ms; leases take up to 2000 more";
    }

    /// The conditions under which the service calls itself ready.
    [ready] Ready {
        runway_ms: u32 = 10_000 => between(0, DAY_MS)
            "The time for which a source whose store fails must last for /readyz to say yes, in ms";
        #[serde(deserialize_with = "list")]
        optional: Vec<String> = Vec::new() =>
            "Sources that /readyz does not ask for";
    }

    /// Leases for clients that reach no database.
    [leases] Leases {
        store: String = String::new() => called("URL") fixed()
            "The store of the worker IDs and ranges that HTTP clients lease; none if you set \
             sources and not this";
        per_address: u32 = 0 => between(0, 1_000_000)
            "Worker IDs that an address may acquire per hour; 0 means no limit";
    }

    /// The tokens that clients need.
    [tokens] Tokens {
        file: String = String::new() => called("FILE") kept()
            "The file of tokens that `snowmint token create` makes; without it, everybody may ask";
        fronts: FrontsAsk = FrontsAsk::Token =>
            "Whether clients of Leaf and tinyid need a token as everybody does: token or open";
    }

    /// The public IDs that are made and read for clients.
    [public_ids] PublicIdSettings {
        keys: String = String::new() =>
            "The keys of public IDs: a file of `snowmint public-ids keygen`, or env:NAME; needs \
             tokens.file";
        #[serde(deserialize_with = "list")]
        types: Vec<String> = Vec::new() =>
            "Types whose public IDs are made and read, at /v1/public-ids/TYPE/";
        count: u32 = 1_000 => between(1, 100_000)
            "The most public IDs of one request";
    }

    /// The servers for whose clients this one answers.
    [fronts] Fronts {
        leaf: bool = false =>
            "Answer clients of Leaf's server, at /api/segment/get/KEY";
        leaf_snowflakes: String = String::new() => called("NAME")
            "The source of /api/snowflake/get/KEY for every key, as in Leaf; if it is empty, the \
             key names the source";
        tinyid: bool = false =>
            "Answer clients of tinyid's server, at /tinyid/id/nextId";
        cosid: bool = false =>
            "Answer clients of CosId's proxy server, at /segments/NAMESPACE/NAME and /ids";
    }

    /// Daily sources.
    [daily] Daily {
        #[serde(deserialize_with = "list")]
        keys: Vec<Template> = vec![Template::usual()] =>
            "How clients name a day of a daily source, for example icr:{source}:{yyyy}:{MM}:{dd}";
    }

    /// Sources whose numbers rise over all servers.
    [ordered] Ordered {
        #[serde(deserialize_with = "list")]
        sources: Vec<String> = Vec::new() => fixed()
            "Segments whose numbers rise over all servers: one server at a time gives them, and \
             the others ask it";
        store: String = String::new() => called("URL") fixed()
            "The store in which these servers see whose turn it is";
        address: String = String::new() => called("URL") fixed()
            "The address at which the other servers reach this one, for example \
             http://10.0.0.7:8064";
        token_file: String = String::new() => called("FILE")
            "A file with the token that this server shows the others, if they ask for tokens";
        ca: PathBuf = PathBuf::new() => called("FILE")
            "Authorities of the other servers' certificates, a PEM file; needed for https";
        lease_ms: u32 = 3_000 => between(1_000, HOUR_MS) fixed()
            "A turn ends this long after its server was last heard, in ms; the same on all servers";
        wait_ms: u32 = 5_000 => between(0, HOUR_MS) fixed()
            "How long a request waits while no server has the turn, in ms";
    }

    /// The log.
    [log] Log {
        format: Format = Format::Text => fixed()
            "The format of the log on standard error: text, or json with one object a line";
    }
}
