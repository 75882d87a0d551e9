//! The state of a connection, and the effect of each command.

use std::io;
use std::pin::pin;
use std::rc::Rc;

use snowmint::Code;

use super::command::{COMMANDS, Command, command, shown};
use super::login::{Denied, Login};
use super::parse::{Arguments, parse};
use super::queue::Queue;
use super::reply::{self, Protocol};
use super::wire::Wire;
use super::{info, keys, mint};
use crate::quotas::Client;
use crate::service::{LoopContext, RequestContext};

/// Redis' reply while it loads its data, on which clients retry by themselves.
const LOADING: &str = "LOADING the service starts, and opens its sources: ask again a little later";
/// The most bytes of a client's name.
const MAX_NAME_BYTES: usize = 256;

pub(super) struct Session {
    context: Rc<LoopContext>,
    number: u64,
    name: Vec<u8>,
    protocol: Protocol,
    login: Login,
    queue: Option<Queue>,
    is_over: bool,
}

impl Session {
    pub(super) fn new(context: &Rc<LoopContext>, client: Client) -> Session {
        Session {
            context: Rc::clone(context),
            number: context.service.number(),
            name: Vec::new(),
            protocol: Protocol::default(),
            login: Login::new(client),
            queue: None,
            is_over: false,
        }
    }

    /// Returns true once the client has quit.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Carries out a command, or keeps it for EXEC.
    ///
    /// # Errors
    /// The connection's errors.
    pub(super) async fn carry_out(
        &mut self,
        arguments: Arguments<'_>,
        wire: &mut Wire,
    ) -> io::Result<()> {
        let context = RequestContext::of_command(&self.context);
        let Some(command) = self.permitted(&context, arguments, &mut wire.output) else {
            return Ok(());
        };
        match (command, &mut self.queue) {
            // Boxed, because it is rare and as large as anything that a command may wait for.
            (Command::Exec, _) => return Box::pin(self.exec(wire)).await,
            (Command::Discard, Some(_)) => {
                self.queue = None;
                reply::ok(&mut wire.output);
            }
            (Command::Multi, Some(_)) => {
                reply::error(&mut wire.output, "MULTI calls can not be nested");
            }
            (Command::Incr | Command::IncrBy, None) => {
                return self.minted(&context, command, arguments, wire).await;
            }
            (Command::Quit | Command::Reset, _) | (_, None) => {
                self.said(&context, command, arguments, &mut wire.output);
            }
            (_, Some(queue)) => queue.keep(arguments, &mut wire.output),
        }
        Ok(())
    }

    /// Returns the command if it exists and is permitted; otherwise replies the reason.
    fn permitted(
        &mut self,
        context: &RequestContext,
        arguments: Arguments<'_>,
        output: &mut Vec<u8>,
    ) -> Option<Command> {
        if is_http(arguments.get(0)) {
            self.is_over = true;
            reply::error(output, "this is the protocol of Redis, and no HTTP");
            return None;
        }
        let command = match command(arguments) {
            Ok(command) => command,
            Err(message) => {
                self.break_queue();
                reply::error(output, &message);
                return None;
            }
        };
        if let Err(denied) = self.login.check(context, command, arguments) {
            self.break_queue();
            if denied == Denied::NoLogin {
                // The login that began the transaction is gone.
                self.queue = None;
            }
            deny(context, denied, output);
            return None;
        }
        if !context.service.phases.has_started() && command.keys(arguments).next().is_some() {
            self.break_queue();
            context.count(|counters| counters.failed(Code::StoreUnavailable, None, LOADING));
            reply::plain_error(output, LOADING);
            return None;
        }
        Some(command)
    }

    fn break_queue(&mut self) {
        if let Some(queue) = &mut self.queue {
            queue.is_broken = true;
        }
    }

    /// Carries out the kept commands in order. Other clients may mint between them. Each command has
    /// the configuration of its own moment, because all of them together may take long.
    async fn exec(&mut self, wire: &mut Wire) -> io::Result<()> {
        let Some(queue) = self.queue.take() else {
            reply::error(&mut wire.output, "EXEC without MULTI");
            return Ok(());
        };
        if queue.is_broken {
            let message = "EXECABORT Transaction discarded because of previous errors.";
            reply::plain_error(&mut wire.output, message);
            return Ok(());
        }
        reply::array(&mut wire.output, queue.count);
        let mut ranges = Vec::new();
        for &(which, times) in &queue.runs {
            let bytes = queue.command(which);
            // They were parsed before, so this cannot fail.
            let Ok(Some(_)) = parse(bytes, &mut ranges) else { break };
            for _ in 0..times {
                self.carry_out_kept(Arguments::new(bytes, &ranges), wire).await?;
                // The replies may be a hundred times as long as the commands.
                wire.send_many().await?;
            }
        }
        Ok(())
    }

    async fn carry_out_kept(
        &mut self,
        arguments: Arguments<'_>,
        wire: &mut Wire,
    ) -> io::Result<()> {
        let Ok(command) = command(arguments) else { return Ok(()) };
        let context = &RequestContext::of_command(&self.context);
        // The tokens may have changed since MULTI.
        match (self.login.check(context, command, arguments), command) {
            (Ok(()), Command::Incr | Command::IncrBy) => {
                self.minted(context, command, arguments, wire).await?;
            }
            (Ok(()), _) => self.said(context, command, arguments, &mut wire.output),
            (Err(denied), _) => deny(context, denied, &mut wire.output),
        }
        Ok(())
    }

    /// Replies to a command that never waits.
    fn said(
        &mut self,
        context: &RequestContext,
        command: Command,
        arguments: Arguments<'_>,
        output: &mut Vec<u8>,
    ) {
        match command {
            Command::Incr | Command::IncrBy => unreachable!("they may wait"),
            Command::Info => self.info(context, output),
            Command::Get => mint::last(context, arguments.get(1), self.protocol, output),
            Command::MGet => {
                reply::array(output, arguments.len() - 1);
                let last = |name| mint::last(context, name, self.protocol, output);
                arguments.from(1).for_each(last);
            }
            Command::Exists => keys::exist(context, arguments.from(1), output),
            Command::Type => keys::kind(context, arguments.get(1), output),
            Command::Ends => keys::ends(context, arguments.get(1), output),
            Command::Expire => {
                keys::expire(context, arguments.get(1), arguments.get(2), output);
            }
            Command::Persist => keys::persist(output),
            Command::SetNx => keys::set_if_missing(context, arguments.get(1), output),
            Command::Set => keys::set(context, arguments, self.protocol, output),
            Command::Ping if arguments.len() == 1 => reply::simple(output, "PONG"),
            Command::Ping | Command::Echo => reply::bulk(output, arguments.get(1)),
            Command::Hello => self.hello(context, arguments, output),
            Command::Auth => self.auth(context, arguments, output),
            Command::Select if arguments.get(1) == b"0" => reply::ok(output),
            Command::Select => reply::error(output, "DB index is out of range: there is 0 alone"),
            Command::Client => self.client(arguments, output),
            Command::Commands => commands(arguments, self.protocol, output),
            Command::Config => config(arguments, self.protocol, output),
            Command::Quit => {
                self.is_over = true;
                reply::ok(output);
            }
            Command::Reset => {
                (self.queue, self.name) = (None, Vec::new());
                self.protocol = Protocol::default();
                self.login.log_out();
                reply::simple(output, "RESET");
            }
            Command::Multi => {
                self.queue = Some(Queue::default());
                reply::ok(output);
            }
            Command::Discard => reply::error(output, "DISCARD without MULTI"),
            Command::Exec => reply::error(output, "EXEC without MULTI"),
            Command::Lowers => keys::rises(context, output),
        }
    }

    /// Mints the next number or a block, within the token's rate.
    async fn minted(
        &mut self,
        context: &RequestContext,
        command: Command,
        arguments: Arguments<'_>,
        wire: &mut Wire,
    ) -> io::Result<()> {
        let name = arguments.get(1);
        let grant = match self.login.granted() {
            Ok(grant) => grant,
            Err(denied) => {
                deny(context, denied, &mut wire.output);
                return Ok(());
            }
        };
        let minted = match command {
            Command::IncrBy => {
                let Some(count) = mint::number(arguments.get(2)) else {
                    reply::error(&mut wire.output, keys::NO_INTEGER);
                    return Ok(());
                };
                wire.waited(context, name, pin!(mint::block(context, grant, name, count))).await?
            }
            _ => wire.waited(context, name, pin!(mint::next(context, grant, name))).await?,
        };
        mint::integer(context, minted, &mut wire.output);
        Ok(())
    }

    fn info(&self, context: &RequestContext, output: &mut Vec<u8>) {
        match self.login.granted() {
            Ok(grant) => reply::bulk(output, info::info(context, grant).as_bytes()),
            Err(denied) => deny(context, denied, output),
        }
    }

    fn auth(&mut self, context: &RequestContext, arguments: Arguments<'_>, output: &mut Vec<u8>) {
        let (user, token) = match arguments.len() {
            2 => (None, arguments.get(1)),
            _ => (Some(arguments.get(1)), arguments.get(2)),
        };
        match self.login.log_in(context, user, token) {
            Ok(()) => reply::ok(output),
            Err(denied) => deny(context, denied, output),
        }
    }

    /// `HELLO`: introduces the service. Some clients send it first.
    fn hello(&mut self, context: &RequestContext, arguments: Arguments<'_>, output: &mut Vec<u8>) {
        let wanted = match arguments.get(1) {
            b"" => Some(self.protocol),
            number => Protocol::from_number(number),
        };
        let Some(protocol) = wanted else {
            return reply::plain_error(output, "NOPROTO unsupported protocol version");
        };
        let (mut name, mut login) = (None, None);
        let mut options = arguments.from(2);
        while let Some(option) = options.next() {
            let value = options.next();
            match (option.to_ascii_uppercase().as_slice(), value) {
                (b"AUTH", Some(user)) => login = Some((user, options.next().unwrap_or_default())),
                (b"SETNAME", Some(given)) => match check_name(given) {
                    Ok(given) => name = Some(given.to_vec()),
                    Err(why) => return reply::error(output, why),
                },
                _ => return reply::error(output, "syntax error in HELLO"),
            }
        }
        if let Some((user, token)) = login
            && let Err(denied) = self.login.log_in(context, Some(user), token)
        {
            return deny(context, denied, output);
        }
        if self.login.grant(context).is_err() {
            return deny(context, Denied::NoHello, output);
        }
        if let Some(name) = name {
            self.name = name;
        }
        self.introduce(protocol, output);
    }

    fn introduce(&mut self, protocol: Protocol, output: &mut Vec<u8>) {
        let texts =
            [("server", "snowmint"), ("version", info::REDIS_VERSION), ("mode", "standalone")];
        self.protocol = protocol;
        reply::map(output, 7, protocol);
        for (name, value) in texts.into_iter().chain([("role", "master")]) {
            reply::bulk(output, name.as_bytes());
            reply::bulk(output, value.as_bytes());
        }
        for (name, number) in [("proto", protocol.number()), ("id", self.number)] {
            reply::bulk(output, name.as_bytes());
            reply::integer(output, number);
        }
        reply::bulk(output, b"modules");
        reply::array(output, 0);
    }

    fn client(&mut self, arguments: Arguments<'_>, output: &mut Vec<u8>) {
        match (arguments.get(1).to_ascii_uppercase().as_slice(), arguments.len()) {
            (b"SETNAME", 3) => match check_name(arguments.get(2)) {
                Ok(name) => {
                    self.name = name.to_vec();
                    reply::ok(output);
                }
                Err(why) => reply::error(output, why),
            },
            (b"SETINFO", 4) => reply::ok(output),
            (b"GETNAME", 2) if self.name.is_empty() => reply::null(output, self.protocol),
            (b"GETNAME", 2) => reply::bulk(output, &self.name),
            (b"ID", 2) => reply::integer(output, self.number),
            _ => unknown(arguments, output),
        }
    }
}

fn deny(context: &RequestContext, denied: Denied, output: &mut Vec<u8>) {
    context.count(|counters| counters.denied(None, denied.words()));
    reply::plain_error(output, denied.words());
}

/// Checks a client's name. An empty one removes it.
fn check_name(name: &[u8]) -> Result<&[u8], &'static str> {
    if name.len() > MAX_NAME_BYTES {
        return Err("Client names have 256 bytes at most.");
    }
    if !name.iter().all(u8::is_ascii_graphic) {
        return Err("Client names cannot contain spaces, newlines or special characters.");
    }
    Ok(name)
}

/// Returns true for a line of an HTTP request. A web page can make a browser send one here, and its
/// body could contain commands.
fn is_http(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"POST") || name.eq_ignore_ascii_case(b"HOST:")
}

fn unknown(arguments: Arguments<'_>, output: &mut Vec<u8>) {
    let (name, own) = (shown(arguments.get(0)), shown(arguments.get(1)));
    reply::error(output, &format!("unknown subcommand or arguments: '{name} {own}'"));
}

fn commands(arguments: Arguments<'_>, protocol: Protocol, output: &mut Vec<u8>) {
    match arguments.get(1).to_ascii_uppercase().as_slice() {
        b"COUNT" => reply::integer(output, COMMANDS.len() as u64),
        // Clients that ask for the list of commands can do without it.
        b"" | b"INFO" | b"LIST" => reply::array(output, 0),
        b"DOCS" => reply::map(output, 0, protocol),
        _ => unknown(arguments, output),
    }
}

fn config(arguments: Arguments<'_>, protocol: Protocol, output: &mut Vec<u8>) {
    match arguments.get(1).to_ascii_uppercase().as_slice() {
        // None of Redis' own settings exist here.
        b"GET" if arguments.len() > 2 => reply::map(output, 0, protocol),
        _ => unknown(arguments, output),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_its_bounds() {
        assert!(check_name(&[b'a'; MAX_NAME_BYTES]).is_ok() && check_name(b"").is_ok());
        assert!(check_name(&[b'a'; MAX_NAME_BYTES + 1]).is_err());
        assert!(check_name(b"a b").is_err());
    }
}
