//! The protocol of MySQL: the log-in, and statements with their answers.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mysql_common::auth::plugins::caching_sha2_password::scramble_sha256;
use mysql_common::auth::plugins::mysql_native_password::scramble_native;
use mysql_common::constants::{CapabilityFlags, DEFAULT_MAX_ALLOWED_PACKET, StatusFlags};
use mysql_common::crypto;
use mysql_common::io::ParseBuf;
use mysql_common::packets::{
    AuthPlugin, AuthSwitchRequest, Column, CommonOkPacket, HandshakePacket, HandshakeResponse,
    OkPacket, OkPacketDeserializer, OldEofPacket, SslRequest,
};
use mysql_common::proto::MySerialize;
use mysql_common::proto::codec::error::PacketCodecError;
use mysql_common::proto::sync_framed::MySyncFramed;
use snowmint_engine::Code;

use super::errors::server;
use super::fault::Fault;
use super::tls::Security;
use crate::panics::caught;
use crate::secrets::Secret;
use crate::store::remote::blocking::Blocking;
use crate::store::remote::deadline::Deadline;
use crate::store::remote::wire::Wire;

/// The capabilities that a server needs.
const NEEDED: CapabilityFlags = CapabilityFlags::CLIENT_PROTOCOL_41
    .union(CapabilityFlags::CLIENT_SECURE_CONNECTION)
    .union(CapabilityFlags::CLIENT_PLUGIN_AUTH)
    .union(CapabilityFlags::CLIENT_CONNECT_WITH_DB)
    .union(CapabilityFlags::CLIENT_MULTI_STATEMENTS)
    .union(CapabilityFlags::CLIENT_MULTI_RESULTS)
    .union(CapabilityFlags::CLIENT_TRANSACTIONS);
/// The character set `utf8mb4`, by its number in a request for TLS.
const UTF8MB4: u8 = 45;
/// The number of bytes of a server's challenge that a proof uses.
const NONCE_LENGTH: usize = 20;
type Nonce = [u8; NONCE_LENGTH];
/// A log-in with more steps than this fails, because it may never end.
const STEPS_MAX: usize = 8;
/// A packet that begins like the end of rows is a row if at least this many bytes follow.
const END_LENGTH: usize = 8;
/// Answers with more bytes than this fail, because they may never end.
const ANSWERS_MAX: usize = 64 << 20;
/// More columns than any of our statements reads.
const COLUMNS_MAX: u64 = 64;
const QUIT: u8 = 1;
const QUERY: u8 = 3;
/// The request for the public key of `caching_sha2_password`.
const PUBLIC_KEY: u8 = 2;
/// A longer key in PEM, of more than 8,192 bits, is refused, because encryption could take for ever.
const KEY_MAX: usize = 2048;

/// The user who logs in, and the database.
pub(super) struct Login<'a> {
    pub(super) user: &'a str,
    pub(super) password: Option<&'a Secret>,
    pub(super) database: &'a str,
    pub(super) tls: Option<Tls<'a>>,
    /// Set to true if the server says that it is MariaDB.
    pub(super) is_mariadb: &'a AtomicBool,
}

/// The TLS configuration, and the host that the certificate has to name.
pub(super) struct Tls<'a> {
    pub(super) security: &'a Security,
    pub(super) host: &'a str,
}

pub(super) struct Conversation {
    framed: MySyncFramed<Wire>,
    /// The packet read last.
    packet: Vec<u8>,
    /// The number of bytes that were read since the last request.
    heard: usize,
    capabilities: CapabilityFlags,
}

/// The answer to a statement.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) columns: Arc<[String]>,
    pub(super) rows: Vec<Vec<Option<Vec<u8>>>>,
    /// The number of rows that the statement changed.
    pub(super) changed: u64,
}

impl Conversation {
    /// Logs in over a link, within the deadline of the call.
    pub(super) fn log_in(link: Blocking, login: &Login<'_>) -> Result<Conversation, Fault> {
        let mut this = Conversation {
            framed: MySyncFramed::construct(
                Default::default(),
                Default::default(),
                Default::default(),
                Wire::Plain(link),
            ),
            packet: Vec::new(),
            heard: 0,
            capabilities: NEEDED,
        };
        let hello = this.next()?.to_owned();
        // The crate reads this length as a signed byte, so a larger one would be negative.
        let length = hello.iter().position(|byte| *byte == 0).and_then(|end| hello.get(end + 21));
        if length.is_some_and(|length| *length > 0x7f) {
            return Err(strange(server::CHALLENGE_TOO_LONG));
        }
        let hello: HandshakePacket<'_> = parsed(&hello, ())?;
        if !hello.capabilities().contains(NEEDED) {
            return Err(strange(server::TOO_OLD));
        }
        if hello.maria_db_server_version_parsed().is_some() {
            login.is_mariadb.store(true, Ordering::Relaxed);
        }
        if let Some(tls) = &login.tls {
            if hello.capabilities().contains(CapabilityFlags::CLIENT_SSL) {
                this.capabilities |= CapabilityFlags::CLIENT_SSL;
                this = this.secured(tls)?;
            } else if tls.security.is_required {
                return Err(Fault::unfit(Code::StoreUnavailable, server::TLS_MISSING));
            }
        }
        let plugin = match hello.auth_plugin() {
            Some(AuthPlugin::CachingSha2Password) => AuthPlugin::CachingSha2Password,
            _ => AuthPlugin::MysqlNativePassword,
        };
        let nonce = nonce(&hello.nonce());
        let proof = proof(&plugin, login, &nonce);
        let response = HandshakeResponse::new(
            proof.as_deref(),
            (8, 0, 0), // for its character set
            Some(login.user.as_bytes()),
            Some(login.database.as_bytes()),
            Some(plugin),
            this.capabilities,
            None,
            DEFAULT_MAX_ALLOWED_PACKET as u32,
        );
        this.send(&serialized(&response))?;
        this.prove(login, nonce)?;
        Ok(this)
    }

    /// Asks for TLS, and starts it.
    fn secured(mut self, tls: &Tls<'_>) -> Result<Conversation, Fault> {
        let asked = SslRequest::new(self.capabilities, DEFAULT_MAX_ALLOWED_PACKET as u32, UTF8MB4);
        self.send(&serialized(&asked))?;
        let Conversation { framed, packet, capabilities, .. } = self;
        let (heard, unsent, codec, wire) = framed.destruct();
        if !heard.is_empty() {
            return Err(strange(server::SAID_BEFORE_TLS));
        }
        let wire = wire.secured(&tls.security.config, tls.host).map_err(Fault::of_io)?;
        let framed = MySyncFramed::construct(heard, unsent, codec, wire);
        Ok(Conversation { framed, packet, heard: 0, capabilities })
    }

    /// Proves the password in the way that the server asks for. The password itself is sent only
    /// within this machine, or to a server whose certificate is verified.
    fn prove(&mut self, login: &Login<'_>, mut challenge: Nonce) -> Result<(), Fault> {
        let is_vouched_for = login.tls.as_ref().is_some_and(|tls| tls.security.is_verified);
        let is_secured = self.framed.get_ref().is_secured();
        let is_private = self.link().way().is_local || (is_secured && is_vouched_for);
        for _ in 0..STEPS_MAX {
            let packet = self.next()?;
            match *packet {
                [0, ..] => return Ok(()),
                [0xfe] => return Err(unknown_proof("mysql_old_password")),
                [0xfe, ..] => {
                    let packet = packet.to_owned();
                    let asked: AuthSwitchRequest<'_> = parsed(&packet, ())?;
                    let plugin = asked.auth_plugin();
                    if !is_known(&plugin) {
                        return Err(unknown_proof(&String::from_utf8_lossy(plugin.as_bytes())));
                    }
                    challenge = nonce(asked.plugin_data());
                    let proof = proof(&plugin, login, &challenge);
                    self.send(&proof.unwrap_or_default())?;
                }
                [1, 3] => {} // proven; the OK packet follows
                [1, 4] if is_private => self.show(login.password, &challenge)?,
                [1, 4] => {
                    return Err(Fault::unfit(Code::StoreDenied, server::PASSWORD_OVERHEARD));
                }
                _ => return Err(strange(server::PROOF_STRANGE)),
            }
        }
        Err(strange(server::LOG_IN_ENDLESS))
    }

    /// Sends the password itself. A server that is reached by TCP without TLS wants it encrypted
    /// with its public key.
    fn show(&mut self, password: Option<&Secret>, nonce: &Nonce) -> Result<(), Fault> {
        let password = password.map_or("", |Secret(password)| password);
        let mut shown = [password.as_bytes(), &[0]].concat();
        if !self.framed.get_ref().is_secured() && self.link().way().port.is_some() {
            self.send(&[PUBLIC_KEY])?;
            let key = match self.next()? {
                [1, key @ ..] if key.len() <= KEY_MAX => key,
                _ => return Err(strange(server::PROOF_STRANGE)),
            };
            shown.iter_mut().zip(nonce.iter().cycle()).for_each(|(byte, mask)| *byte ^= mask);
            // The crate panics at a key that is cut short.
            shown = match caught(|| crypto::encrypt(&shown, key)) {
                Ok(Ok(encrypted)) => encrypted,
                _ => return Err(strange(server::PROOF_STRANGE)),
            };
        }
        self.send(&shown)
    }

    /// Sends `count` statements as one text, and returns each answer. The first error ends it.
    pub(super) fn ask(&mut self, text: &str, count: usize) -> Result<Vec<Answer>, Fault> {
        self.framed.codec_mut().reset_seq_id();
        let mut packet = vec![QUERY];
        packet.extend_from_slice(text.as_bytes());
        self.heard = 0;
        self.send(&packet)?;
        let mut answers = Vec::new();
        loop {
            let (answer, status) = self.answer()?;
            answers.push(answer);
            if !status.contains(StatusFlags::SERVER_MORE_RESULTS_EXISTS) {
                return Ok(answers);
            }
            if answers.len() == count {
                return Err(strange(server::ANSWERS_TOO_MANY));
            }
        }
    }

    fn answer(&mut self) -> Result<(Answer, StatusFlags), Fault> {
        let capabilities = self.capabilities;
        let first = self.next()?;
        let mut count = ParseBuf(first);
        match first {
            [0, ..] => {
                let ok: OkPacketDeserializer<'_, CommonOkPacket> = parsed(first, capabilities)?;
                let ok: OkPacket<'_> = ok.into();
                let answer = Answer { changed: ok.affected_rows(), ..Answer::default() };
                return Ok((answer, ok.status_flags()));
            }
            [0xfb, ..] => return Err(strange(server::FILE_WANTED)),
            _ => {}
        }
        let count = count.checked_eat_lenenc_int().ok_or_else(cut_short)?;
        if count > COLUMNS_MAX {
            return Err(strange(server::COLUMNS_TOO_MANY));
        }
        let mut columns = Vec::new();
        for _ in 0..count {
            let column: Column = parsed(self.next()?, ())?;
            columns.push(column.name_str().into_owned());
        }
        self.next()?; // the end of the columns
        let mut rows = Vec::new();
        loop {
            let packet = self.next()?;
            if matches!(packet, [0xfe, rest @ ..] if rest.len() < END_LENGTH) {
                let end: OkPacketDeserializer<'_, OldEofPacket> = parsed(packet, capabilities)?;
                let status = OkPacket::from(end).status_flags();
                return Ok((Answer { columns: columns.into(), rows, changed: 0 }, status));
            }
            rows.push(row(packet, columns.len()).ok_or_else(cut_short)?);
        }
    }

    /// Reads a packet. An error packet becomes a fault.
    fn next(&mut self) -> Result<&[u8], Fault> {
        self.packet.clear();
        let heard = self.framed.next_packet(&mut self.packet);
        self.heard = self.heard.saturating_add(self.packet.len());
        match heard {
            Ok(true) if self.heard > ANSWERS_MAX => Err(strange(server::ANSWER_ENDLESS)),
            Ok(true) if self.packet.is_empty() => Err(cut_short()),
            Ok(true) => match Fault::of_packet(&self.packet) {
                Some(fault) => Err(fault),
                None => Ok(&self.packet),
            },
            Ok(false) => Err(Fault::Closed),
            Err(error) => Err(of_codec(error)),
        }
    }

    fn send(&mut self, mut packet: &[u8]) -> Result<(), Fault> {
        self.framed.send(&mut packet).map_err(of_codec)
    }

    /// Says goodbye without waiting, so that the server does not log the connection as lost.
    pub(super) fn quit(&mut self) {
        self.set_deadline(Deadline::after(std::time::Duration::ZERO));
        self.framed.codec_mut().reset_seq_id();
        drop(self.send(&[QUIT]));
    }

    pub(super) fn set_deadline(&mut self, deadline: Deadline) {
        self.framed.get_mut().set_deadline(deadline);
    }

    pub(super) fn link(&self) -> &Blocking {
        self.framed.get_ref().link()
    }
}

/// Returns true for known proofs. Others need a feature of the crate, or show the password.
fn is_known(plugin: &AuthPlugin<'_>) -> bool {
    matches!(plugin, AuthPlugin::CachingSha2Password | AuthPlugin::MysqlNativePassword)
}

/// Returns the proof of the password for this challenge; `None` without a password.
fn proof(plugin: &AuthPlugin<'_>, login: &Login<'_>, nonce: &Nonce) -> Option<Vec<u8>> {
    let password = login.password.filter(|Secret(password)| !password.is_empty())?.0.as_bytes();
    match plugin {
        AuthPlugin::CachingSha2Password => Some(scramble_sha256(nonce, password)?.to_vec()),
        _ => Some(scramble_native(nonce, password)?.to_vec()),
    }
}

/// Returns the random bytes of a challenge, which may end in a NUL.
fn nonce(challenge: &[u8]) -> Nonce {
    let mut nonce = [0; NONCE_LENGTH];
    let length = challenge.len().min(NONCE_LENGTH);
    nonce[..length].copy_from_slice(&challenge[..length]);
    nonce
}

/// Parses the values of a row, which are all texts.
fn row(packet: &[u8], columns: usize) -> Option<Vec<Option<Vec<u8>>>> {
    const NULL: u8 = 0xfb;
    let mut rest = ParseBuf(packet);
    let mut values = Vec::with_capacity(columns);
    for _ in 0..columns {
        let value = match rest.0.first() {
            Some(&NULL) => {
                rest.skip(1);
                None
            }
            _ => Some(rest.checked_eat_lenenc_str()?.to_owned()),
        };
        values.push(value);
    }
    Some(values)
}

fn parsed<'a, T: mysql_common::proto::MyDeserialize<'a>>(
    packet: &'a [u8],
    context: T::Ctx,
) -> Result<T, Fault> {
    ParseBuf(packet).parse(context).map_err(Fault::broken)
}

fn serialized(packet: &impl MySerialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    packet.serialize(&mut bytes);
    bytes
}

fn of_codec(error: PacketCodecError) -> Fault {
    match error {
        PacketCodecError::Io(error) => Fault::of_io(error),
        error => Fault::broken(io::Error::other(error)),
    }
}

fn cut_short() -> Fault {
    strange(server::PACKET_CUT_SHORT)
}

fn strange(what: &str) -> Fault {
    Fault::broken(io::Error::new(io::ErrorKind::InvalidData, what.to_owned()))
}

fn unknown_proof(plugin: &str) -> Fault {
    Fault::unfit(Code::StoreDenied, server::proof_unknown(plugin))
}
