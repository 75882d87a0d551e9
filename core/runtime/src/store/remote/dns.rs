//! Queries to name servers: for SRV records, which the system's look-up does not return, and for
//! addresses if a name server is configured. Sockets belong to one call, so a fork inherits none.

use std::fmt::Display;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::time::Duration;

use simple_dns::rdata::RData;
use simple_dns::{CLASS, Name, Packet, PacketFlag, QTYPE, Question, RCODE, ResourceRecord, TYPE};

use super::blocking::Blocking;
use super::deadline::Deadline;
use super::errors;
use super::link::Link;
use crate::host::{Random, System};

/// The file that names the system's name servers.
const RESOLV_CONF: &str = "/etc/resolv.conf";
const PORT: u16 = 53;
/// The number of questions to each server, because a datagram may be lost.
const TRIES: u32 = 2;
/// The longest answer over TCP, in bytes.
const ANSWER_MAX: usize = 65_535;

/// A server of a service, as an SRV record names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// Targets with the lowest value are asked first.
    pub(crate) priority: u16,
    pub(crate) host: String,
    pub(crate) port: u16,
    /// The addresses that the answer contains already.
    pub(crate) addresses: Vec<IpAddr>,
}

/// Returns the servers of a service by its full name (`_snowmint._tcp.ids.example`), if any.
pub(crate) fn targets(
    name: &str,
    name_server: Option<SocketAddr>,
    deadline: Deadline,
) -> io::Result<Vec<Target>> {
    answered(name, TYPE::SRV, name_server, deadline, |answer| {
        let records = answer.answers.iter().filter_map(|record| match &record.rdata {
            RData::SRV(record) => Some(record),
            _ => None,
        });
        // A service that is explicitly unavailable has the root as its target.
        let there = records.filter(|record| !record.target.get_labels().is_empty());
        let target = |record: &simple_dns::rdata::SRV<'_>| Target {
            priority: record.priority,
            host: record.target.to_string(),
            port: record.port,
            addresses: addresses_of(&answer.additional_records, Some(&record.target)),
        };
        there.map(target).collect()
    })
}

/// Returns the addresses that a name server has for a name, or none if there is no such name.
pub(crate) fn addresses(
    name: &str,
    name_server: SocketAddr,
    deadline: Deadline,
) -> io::Result<Vec<IpAddr>> {
    let of = |kind, deadline| {
        // The answer includes the addresses behind aliases.
        let addresses = |answer: &Packet<'_>| addresses_of(&answer.answers, None);
        answered(name, kind, Some(name_server), deadline, addresses)
    };
    let mut all = of(TYPE::A, deadline.share(2))?;
    all.extend(of(TYPE::AAAA, deadline)?);
    Ok(all)
}

fn addresses_of(records: &[ResourceRecord<'_>], name: Option<&Name<'_>>) -> Vec<IpAddr> {
    let of_name = records.iter().filter(|record| name.is_none_or(|it| is_same(it, &record.name)));
    let address = |record: &ResourceRecord<'_>| match &record.rdata {
        RData::A(it) => Some(Ipv4Addr::from(it.address).into()),
        RData::AAAA(it) => Some(Ipv6Addr::from(it.address).into()),
        _ => None,
    };
    of_name.filter_map(address).collect()
}

fn is_same(one: &Name<'_>, other: &Name<'_>) -> bool {
    one.to_string().eq_ignore_ascii_case(&other.to_string())
}

/// Asks the given name server, or else those of the system one after the other.
fn answered<T>(
    name: &str,
    kind: TYPE,
    name_server: Option<SocketAddr>,
    deadline: Deadline,
    take: impl Fn(&Packet<'_>) -> T,
) -> io::Result<T> {
    let servers = name_server.map_or_else(of_system, |server| Ok(vec![server]))?;
    let mut failure = errors::name_server_missing();
    let mut left = u32::try_from(servers.len()).unwrap_or(u32::MAX).saturating_mul(TRIES);
    for _ in 0..TRIES {
        for &server in &servers {
            match ask(server, name, kind, deadline.share(left), &take) {
                Ok(taken) => return Ok(taken),
                Err(error) => failure = errors::name_server_failed(server, &error),
            }
            left -= 1;
        }
    }
    Err(failure)
}

fn of_system() -> io::Result<Vec<SocketAddr>> {
    let unknown = |error: &dyn Display| errors::name_servers_unknown(RESOLV_CONF, error);
    let text = fs::read(RESOLV_CONF).map_err(|error| unknown(&error))?;
    let config = resolv_conf::Config::parse(text).map_err(|error| unknown(&error))?;
    let servers = config.nameservers.iter().map(|server| SocketAddr::new(server.into(), PORT));
    Ok(servers.collect())
}

fn ask<T>(
    server: SocketAddr,
    name: &str,
    kind: TYPE,
    deadline: Deadline,
    take: &impl Fn(&Packet<'_>) -> T,
) -> io::Result<T> {
    let [low, high, ..] = System.token().map_err(io::Error::other)?;
    let id = u16::from_le_bytes([low, high]);
    let invalid = |error| errors::name_unfit(name, error);
    let asked = Name::new(name.trim_end_matches('.')).map_err(invalid)?;
    let mut packet = Packet::new_query(id);
    packet.set_flags(PacketFlag::RECURSION_DESIRED);
    let (class, kind) = (CLASS::IN.into(), QTYPE::from(kind));
    packet.questions.push(Question::new(asked, kind, class, false));
    let question = packet.build_bytes_vec().map_err(invalid)?;
    let is_answer = |answer: &Packet<'_>| {
        let asked = &packet.questions[0];
        answer.id() == id
            && answer.has_flags(PacketFlag::RESPONSE)
            && matches!(answer.questions.as_slice(),
                [it] if is_same(&it.qname, &asked.qname) && it.qtype == asked.qtype)
    };
    match by_datagram(server, &question, deadline, &is_answer, take)? {
        Some(taken) => Ok(taken),
        None => by_stream(server, &question, deadline, &is_answer, take),
    }
}

/// Returns `None` if the answer is too long for a datagram.
fn by_datagram<T>(
    server: SocketAddr,
    question: &[u8],
    deadline: Deadline,
    is_answer: &impl Fn(&Packet<'_>) -> bool,
    take: &impl Fn(&Packet<'_>) -> T,
) -> io::Result<Option<T>> {
    let own: IpAddr = match server {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let socket = UdpSocket::bind((own, 0))?;
    socket.connect(server)?;
    socket.send(question)?;
    let mut buffer = [0; 4096];
    loop {
        let left = deadline.left();
        if left < Duration::from_millis(1) {
            return Err(errors::name_server_silent());
        }
        socket.set_read_timeout(Some(left))?;
        let length = match socket.recv(&mut buffer) {
            Ok(length) => length,
            Err(error) if is_late(&error) => continue,
            Err(error) => return Err(error),
        };
        // Datagrams that are not the answer are ignored.
        let Ok(answer) = Packet::parse(&buffer[..length]) else { continue };
        if !is_answer(&answer) {
            continue;
        }
        if answer.has_flags(PacketFlag::TRUNCATION) {
            return Ok(None);
        }
        return sound(&answer, take).map(Some);
    }
}

fn is_late(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}

fn by_stream<T>(
    server: SocketAddr,
    question: &[u8],
    deadline: Deadline,
    is_answer: &impl Fn(&Packet<'_>) -> bool,
    take: &impl Fn(&Packet<'_>) -> T,
) -> io::Result<T> {
    let link = Link::to_host(&server.ip().to_string(), server.port(), deadline)?;
    let mut stream = Blocking::new(link, deadline);
    let length = u16::try_from(question.len()).map_err(io::Error::other)?;
    stream.write_all(&[&length.to_be_bytes(), question].concat())?;
    let mut length = [0; 2];
    stream.read_exact(&mut length)?;
    let mut answer = vec![0; usize::from(u16::from_be_bytes(length)).min(ANSWER_MAX)];
    stream.read_exact(&mut answer)?;
    let answer = Packet::parse(&answer).map_err(|_| errors::no_answer_of_name_server())?;
    if !is_answer(&answer) {
        return Err(errors::no_answer_of_name_server());
    }
    sound(&answer, take)
}

fn sound<T>(answer: &Packet<'_>, take: &impl Fn(&Packet<'_>) -> T) -> io::Result<T> {
    match answer.rcode() {
        RCODE::NoError | RCODE::NameError => Ok(take(answer)),
        code => Err(errors::refused_by_name_server(code)),
    }
}
