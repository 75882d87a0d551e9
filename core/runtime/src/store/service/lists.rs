//! Lists of servers that change while a store is open. Calls read them, in each process by itself,
//! so no thread is lost in a fork.

use std::fs::File;
use std::io::Read;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use snowmint_engine::Code;

use super::errors;
use super::peers::Peers;
use super::server::Listed;
use crate::error::{Result, escaped};
use crate::events::{Event, EventKind};
use crate::host::{Clock as _, System};
#[cfg(feature = "etcd")]
use crate::store::EtcdBuilder;
#[cfg(feature = "etcd")]
use crate::store::EtcdStore;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::dns;
use crate::store::remote::look_ups::resolved;
use crate::store::remote::members::Member;
use crate::url::HostPort;

/// The shortest time between two reads of names or prefixes.
const EVERY: Duration = Duration::from_secs(5);
/// The longest wait of a call for a new list while it has an older one.
const READ_WITHIN: Duration = Duration::from_secs(1);
/// The most servers in a list.
const SERVERS_MAX: usize = 256;
/// The most bytes that are read of a file.
const FILE_MAX: u64 = 64 << 10;

/// The place where the servers are listed: see
/// [`ServiceBuilder::list`](super::ServiceBuilder::list).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ServerList {
    /// The builder names all servers.
    #[default]
    Named,
    /// A file with one `host:port` a line; `#` begins a comment. Each call reads it. To change it,
    /// move a new file over it, so that no call reads half of it.
    File(PathBuf),
    /// All addresses (A, AAAA) of the names in the builder, looked up every 5 s. Certificates are
    /// checked against these names.
    Addresses,
    /// The SRV records of the names in the builder, looked up every 5 s. A higher priority value is
    /// used only if no server of a lower one answers. Weights are ignored, because servers are
    /// chosen by their speed.
    Services,
    /// The values (`host:port`) of all keys below a prefix in etcd, read every 5 s.
    #[cfg(feature = "etcd")]
    Etcd(Box<EtcdBuilder>),
}

/// The place of a list, and the servers before the first read.
pub(super) struct List {
    from: ServerList,
    named: Vec<Member>,
    name_server: Option<SocketAddr>,
    #[cfg(feature = "etcd")]
    etcd: Option<EtcdStore>,
}

impl List {
    pub(super) fn new(
        from: ServerList,
        named: Vec<Member>,
        name_server: Option<SocketAddr>,
    ) -> Result<List> {
        if name_server.is_some() && !matches!(from, ServerList::Addresses | ServerList::Services) {
            return Err(errors::name_server_needless());
        }
        #[cfg(feature = "etcd")]
        let etcd = match &from {
            ServerList::Etcd(builder) => Some(EtcdStore::for_reading((**builder).clone())?),
            _ => None,
        };
        Ok(List {
            from,
            named,
            name_server,
            #[cfg(feature = "etcd")]
            etcd,
        })
    }

    /// Returns the servers to ask until the list has been read.
    pub(super) fn first(&self) -> Vec<Listed> {
        match self.from {
            // These names have SRV records and are no servers.
            ServerList::Services => Vec::new(),
            _ => self.named.iter().cloned().map(Listed::from).collect(),
        }
    }

    pub(super) fn named(&self) -> &[Member] {
        &self.named
    }

    fn every(&self) -> Duration {
        if let ServerList::File(_) = self.from { Duration::ZERO } else { EVERY }
    }

    fn read(&self, deadline: Deadline) -> Result<Vec<Listed>> {
        let mut servers = match &self.from {
            ServerList::Named => return Ok(self.first()),
            ServerList::File(file) => of_file(file)?,
            ServerList::Addresses => self.addresses(deadline)?,
            ServerList::Services => self.services(deadline)?,
            #[cfg(feature = "etcd")]
            ServerList::Etcd(_) => self.of_etcd(deadline)?,
        };
        let mut seen = std::collections::HashSet::new();
        servers.retain(|listed| seen.insert(listed.at.clone()));
        match servers.len() {
            0 => Err(errors::list_empty()),
            1..=SERVERS_MAX => Ok(servers),
            count => Err(errors::list_too_long(count, SERVERS_MAX)),
        }
    }

    fn addresses(&self, deadline: Deadline) -> Result<Vec<Listed>> {
        let mut servers = Vec::new();
        for Member { name, port } in &self.named {
            let found = match self.name_server {
                Some(server) => dns::addresses(name, server, deadline),
                None => resolved(name, *port, deadline)
                    .map(|found| found.iter().map(SocketAddr::ip).collect()),
            };
            let found = found.map_err(|error| errors::name_unreadable(name, error))?;
            servers.extend(found.into_iter().map(|address| {
                let at = Member { name: address.to_string(), port: *port };
                Listed { at, host: name.clone(), tier: 0 }
            }));
        }
        Ok(servers)
    }

    fn services(&self, deadline: Deadline) -> Result<Vec<Listed>> {
        let mut servers = Vec::new();
        for Member { name, .. } in &self.named {
            let unread = |error| errors::records_unreadable(name, error);
            for target in dns::targets(name, self.name_server, deadline).map_err(unread)? {
                servers.extend(self.servers_of_target(target, deadline).map_err(unread)?);
            }
        }
        Ok(servers)
    }

    /// Returns one server for each address of a target, or its name if the system is to look it up.
    fn servers_of_target(
        &self,
        target: dns::Target,
        deadline: Deadline,
    ) -> std::io::Result<Vec<Listed>> {
        let dns::Target { priority: tier, host, port, mut addresses } = target;
        if let (Some(server), true) = (self.name_server, addresses.is_empty()) {
            addresses = dns::addresses(&host, server, deadline)?;
        }
        let listed = |name: String| Listed { at: Member { name, port }, host: host.clone(), tier };
        if addresses.is_empty() {
            return Ok(vec![listed(host.clone())]);
        }
        Ok(addresses.iter().map(|address| listed(address.to_string())).collect())
    }

    #[cfg(feature = "etcd")]
    fn of_etcd(&self, deadline: Deadline) -> Result<Vec<Listed>> {
        let Some(etcd) = &self.etcd else { return Ok(Vec::new()) };
        let found = etcd.values_below_prefix(deadline)?;
        let listed = |(key, value): &(String, String)| {
            server(value).ok_or_else(|| errors::value_without_server(key))
        };
        found.iter().map(listed).collect()
    }
}

fn of_file(file: &Path) -> Result<Vec<Listed>> {
    let unread = |error| errors::file_unreadable(file, error);
    // Another kind of file, such as a pipe, could block the call.
    if !file.metadata().map_err(unread)?.is_file() {
        return Err(errors::no_file(file));
    }
    let mut text = String::new();
    let opened = File::open(file).map_err(unread)?;
    opened.take(FILE_MAX + 1).read_to_string(&mut text).map_err(unread)?;
    if text.len() as u64 > FILE_MAX {
        return Err(errors::file_too_long(file, FILE_MAX));
    }
    servers_of(&text).map_err(|line| errors::line_without_server(line, file))
}

/// Reads the servers in a file's text. Fails with the number of the first wrong line.
fn servers_of(text: &str) -> Result<Vec<Listed>, usize> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let lines = lines.enumerate().filter(|(_, line)| !line.is_empty());
    lines.map(|(at, line)| server(line).ok_or(at + 1)).collect()
}

fn server(text: &str) -> Option<Listed> {
    let HostPort { host, port } = HostPort::parse(text.trim()).ok()?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:".contains(&byte);
    let is_host = !host.is_empty() && host.bytes().all(is_name);
    is_host.then_some(Member { name: host, port: port? }.into())
}

/// The state of reading the list.
#[derive(Default)]
pub(super) struct Reading {
    /// The time of the next read; `None` for at once.
    due: Option<Instant>,
    /// The error of the last read, if it failed.
    last_error: Option<String>,
}

impl Reading {
    /// Reads the list if it is due. Returns an event if the list failed or works again.
    pub(super) fn read(&mut self, list: &List, peers: &Peers, deadline: Deadline) -> Option<Event> {
        if self.due.is_some_and(|due| Instant::now() < due) {
            return None;
        }
        let within = if peers.is_empty() { deadline } else { deadline.at_most(READ_WITHIN) };
        let read = list.read(within.share(2));
        self.due = Some(Instant::now() + list.every());
        match read {
            Ok(servers) => {
                peers.replace(servers);
                let message = "the list of servers is read again";
                self.last_error.take().map(|_| told(EventKind::ServersBack, None, message))
            }
            Err(error) => {
                let message = format!(
                    "the list of servers cannot be used, and the last one is kept; mend it, it is \
                     read again by itself: {error}"
                );
                let is_news = self.last_error.replace(error.to_string()).is_none();
                is_news.then(|| told(EventKind::ServersKept, Some(error.code()), &message))
            }
        }
    }

    /// Makes the next call read the list.
    pub(super) fn hurry(&mut self) {
        self.due = None;
    }

    pub(super) fn last_error(&self) -> Option<&str> {
        self.last_error.as_deref()
    }
}

pub(super) fn told(kind: EventKind, code: Option<Code>, message: &str) -> Event {
    Event {
        kind,
        source: "service",
        tag: None,
        worker_id: None,
        code,
        message: escaped(message).into_owned(),
        unix_ms: System.now_ms(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(file: &Path) -> List {
        let named = vec![Member { name: "first".to_owned(), port: 1 }];
        List::new(ServerList::File(file.to_owned()), named, None).unwrap()
    }

    fn shown(peers: &Peers) -> Vec<String> {
        let mut shown: Vec<_> = peers.order().unwrap().iter().map(ToString::to_string).collect();
        shown.sort();
        shown
    }

    #[test]
    fn a_file_is_read_line_by_line() {
        let names = |text: &str| {
            let servers = servers_of(text)?;
            Ok::<_, usize>(servers.iter().map(|it| it.at.to_string()).collect::<Vec<_>>())
        };
        let text = "# ours\n a:1 # the first\r\n\n[::1]:2\nids-1.example:65535";
        assert_eq!(names(text).unwrap(), ["a:1", "[::1]:2", "ids-1.example:65535"]);
        assert_eq!(names("").unwrap(), [""; 0]);
        for wrong in ["a", "a:", ":1", "a:0x1", "a:65536", "a b:1", "http://a:1", "u@a:1", "ä:1"] {
            assert_eq!(names(&format!("\n{wrong}")), Err(2), "{wrong}");
        }
    }

    #[test]
    fn a_list_that_cannot_be_used_leaves_the_last_one() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("servers");
        let (list, mut reading) = (list(&file), Reading::default());
        let peers = Peers::new(list.first());
        let soon = Deadline::after(Duration::from_secs(60));
        let mut read = || reading.read(&list, &peers, soon).map(|event| event.kind);
        assert_eq!((read(), shown(&peers)), (Some(EventKind::ServersKept), vec!["first:1".into()]));
        std::fs::write(&file, "a:1\nb:1\na:1\n").unwrap();
        let both = vec!["a:1".to_owned(), "b:1".to_owned()];
        assert_eq!((read(), shown(&peers)), (Some(EventKind::ServersBack), both.clone()));
        for unusable in ["", "# none\n", "a:1\nwhat\n"] {
            std::fs::write(&file, unusable).unwrap();
            assert_eq!((read(), shown(&peers)), (Some(EventKind::ServersKept), both.clone()));
            assert_eq!(read(), None, "told once");
            std::fs::write(&file, "a:1\nb:1\n").unwrap();
            assert_eq!(read(), Some(EventKind::ServersBack));
        }
        let many = |count: usize| (1..=count).map(|port| format!("a:{port}\n")).collect::<String>();
        std::fs::write(&file, many(SERVERS_MAX)).unwrap();
        assert_eq!((read(), shown(&peers).len()), (None, SERVERS_MAX));
        std::fs::write(&file, many(SERVERS_MAX + 1)).unwrap();
        assert_eq!((read(), shown(&peers).len()), (Some(EventKind::ServersKept), SERVERS_MAX));
        std::fs::remove_file(&file).unwrap();
        std::fs::create_dir(&file).unwrap();
        assert_eq!((read(), shown(&peers).len()), (None, SERVERS_MAX));
    }

    #[test]
    fn a_name_has_all_its_addresses() {
        let named = vec![Member { name: "localhost".to_owned(), port: 7 }];
        let list = List::new(ServerList::Addresses, named, None).unwrap();
        let servers = list.read(Deadline::after(Duration::from_secs(60))).unwrap();
        assert!(servers.iter().any(|listed| ["127.0.0.1", "::1"].contains(&&*listed.at.name)));
        assert!(servers.iter().all(|listed| (listed.at.port, &*listed.host) == (7, "localhost")));
    }
}
