//! HTTP/1.1 requests, one after the other on a connection, each limited by its call's deadline.

use std::io::{self, Read, Write};

use jiff::fmt::rfc2822;
use ureq_proto::BodyMode;
use ureq_proto::client::{Call, RecvBodyResult, RecvResponseResult, SendRequestResult, state};
use ureq_proto::http::{Request, Response, header};

use super::deadline::Deadline;
use super::errors;
use super::pool::Connection;
use super::wire::Wire;

/// The number of bytes that are read at once, and the largest head of a request.
const CHUNK: usize = 16 << 10;

/// A connection to a server, for one user at a time.
pub(crate) struct Client {
    wire: Wire,
    /// `http://host:port`, with the name by which the server was found.
    origin: String,
    /// The longest answer in bytes; anything longer is an error.
    answer_max: usize,
    /// True once the connection can no longer be used.
    is_over: bool,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The server's clock in Unix milliseconds, accurate to a second.
    pub(crate) date_ms: Option<i64>,
    /// The time until the next request, if the server gives it in seconds.
    pub(crate) retry_after_ms: Option<u64>,
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) fn new(wire: Wire, origin: String, answer_max: usize) -> Client {
        Client { wire, origin, answer_max, is_over: false }
    }

    pub(crate) fn post(
        &mut self,
        path: &str,
        authorization: Option<&str>,
        body: &[u8],
        deadline: Deadline,
    ) -> io::Result<Answer> {
        let mut request = Request::post(format!("{}{path}", self.origin))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::CONTENT_LENGTH, body.len());
        if let Some(authorization) = authorization {
            request = request.header(header::AUTHORIZATION, authorization);
        }
        let request = request.body(()).map_err(io::Error::other)?;
        self.wire.set_deadline(deadline);
        let answered = self.converse(request, body);
        self.is_over |= answered.is_err();
        answered
    }

    /// Keeps the connection from being used again.
    pub(crate) fn end(&mut self) {
        self.is_over = true;
    }

    fn converse(&mut self, request: Request<()>, body: &[u8]) -> io::Result<Answer> {
        let mut call = Call::new(request).map_err(io::Error::other)?.proceed();
        let mut sent = vec![0; CHUNK];
        let length = call.write(&mut sent).map_err(io::Error::other)?;
        sent.truncate(length);
        let call = match call.proceed().map_err(io::Error::other)? {
            Some(SendRequestResult::SendBody(mut call)) => {
                call.consume_direct_write(body.len()).map_err(io::Error::other)?;
                sent.extend_from_slice(body);
                call.proceed()
            }
            Some(SendRequestResult::RecvResponse(call)) => Some(call),
            Some(SendRequestResult::Await100(_)) | None => None,
        };
        let call = call.ok_or_else(errors::request_too_long)?;
        self.wire.write_all(&sent)?;
        self.wire.flush()?;
        self.answer(call)
    }

    fn answer(&mut self, mut call: Call<state::RecvResponse>) -> io::Result<Answer> {
        let mut heard = Vec::new();
        let response = loop {
            let (used, response) = call.try_response(&heard, false).map_err(io::Error::other)?;
            heard.drain(..used);
            match response {
                Some(response) => break response,
                None if used > 0 => {} // an interim response
                None if heard.len() > self.answer_max => return Err(errors::answer_endless()),
                None => self.hear(&mut heard)?,
            }
        };
        let (status, date_ms) = (response.status().as_u16(), date_ms(&response));
        let retry_after_ms = retry_after_ms(&response);
        let mut body = Vec::new();
        let must_close = match call.proceed() {
            Some(RecvResponseResult::RecvBody(call)) => self.body(call, &mut heard, &mut body)?,
            Some(RecvResponseResult::Redirect(call)) => call.must_close_connection(),
            Some(RecvResponseResult::Cleanup(call)) => call.must_close_connection(),
            None => true,
        };
        self.is_over |= must_close || !heard.is_empty();
        Ok(Answer { status, date_ms, retry_after_ms, body })
    }

    /// Reads a body to its end, and returns true if the connection ends with it.
    fn body(
        &mut self,
        mut call: Call<state::RecvBody>,
        heard: &mut Vec<u8>,
        body: &mut Vec<u8>,
    ) -> io::Result<bool> {
        let mut part = vec![0; CHUNK];
        loop {
            let (used, length) = call.read(heard, &mut part).map_err(io::Error::other)?;
            heard.drain(..used);
            body.extend_from_slice(&part[..length]);
            if body.len() > self.answer_max {
                return Err(errors::answer_endless());
            }
            // A body without a length ends with its connection.
            let is_endless = call.body_mode() == BodyMode::CloseDelimited;
            if call.can_proceed() && !is_endless {
                break;
            }
            if used > 0 || length > 0 {
                continue;
            }
            match self.hear(heard) {
                Err(error) if is_endless && error.kind() == io::ErrorKind::UnexpectedEof => break,
                heard => heard?,
            }
        }
        Ok(match call.proceed() {
            Some(RecvBodyResult::Cleanup(call)) => call.must_close_connection(),
            Some(RecvBodyResult::Redirect(call)) => call.must_close_connection(),
            None => true,
        })
    }

    fn hear(&mut self, heard: &mut Vec<u8>) -> io::Result<()> {
        let before = heard.len();
        heard.resize(before + CHUNK, 0);
        let count = self.wire.read(&mut heard[before..])?;
        heard.truncate(before + count);
        if count == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}

impl Connection for Client {
    fn is_of_use(&mut self) -> bool {
        let link = self.wire.link();
        !self.is_over && link.is_ours() && link.is_silent()
    }
}

fn date_ms(response: &Response<()>) -> Option<i64> {
    let text = response.headers().get(header::DATE)?.to_str().ok()?;
    Some(rfc2822::parse(text).ok()?.timestamp().as_millisecond())
}

/// Returns the delay, but ignores a date, which says no more than the status code.
fn retry_after_ms(response: &Response<()>) -> Option<u64> {
    let text = response.headers().get(header::RETRY_AFTER)?.to_str().ok()?;
    Some(text.parse::<u64>().ok()?.saturating_mul(1_000))
}

/// Returns true if the answer is not valid HTTP.
pub(crate) fn is_no_http(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<ureq_proto::Error>());
    inner.is_some()
}
