//! Tokens, stored as hashes in a file, and what each of them permits.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hyper::header::HeaderValue;
use snowmint::Result;
use snowmint::public_ids::MAX_TYPE_LENGTH;

use super::config::Config;
use super::denial::Denial;
use super::quotas::{Allowance, Client, Meter, Quotas, now_ns};
use super::state::{Row, Rows, TokenNow, TokenOf};

mod edit;
mod file;
mod secret;
mod shown;
mod usage;

pub use edit::{add, remove};
pub(crate) use file::ALL;
pub use file::{Entry, MAX_COUNT, read};
pub use secret::{Digest, MAX_BYTES, random};
use usage::Usage;

/// All tokens of a configuration. If it names no file, no client needs a token.
#[derive(Debug)]
pub(crate) struct Tokens {
    /// The tokens by the first bytes of their digests.
    bearers: Option<HashMap<[u8; 8], Vec<Arc<Bearer>>>>,
    /// IDs a second for an address without a token; 0 means no limit.
    rate: u32,
    /// The token that this server sends to other servers.
    shown: Option<HeaderValue>,
}

/// A token with its rate meter.
#[derive(Debug)]
pub(crate) struct Bearer {
    name: Arc<str>,
    entry: Entry,
    /// True if it permits all sources.
    has_all: bool,
    /// The token as operators see it.
    shown: Arc<TokenOf>,
    allowance: Option<Allowance>,
    meter: Arc<Meter>,
    usage: Arc<Usage>,
}

impl Tokens {
    /// Loads the tokens of the configured file. Tokens that keep their names keep their meters.
    ///
    /// # Errors
    /// [`Code::UnsafeSetting`](snowmint::Code::UnsafeSetting) for a file that others may write,
    /// [`Code::InvalidParameter`](snowmint::Code::InvalidParameter).
    pub(crate) fn load(config: &Config, before: Option<&Tokens>) -> Result<Tokens> {
        let rate = config.limits.rate;
        let own = Some(&config.ordered.token_file).filter(|path| !path.is_empty());
        let shown = own.map(|path| shown::read(Path::new(path))).transpose()?;
        if config.tokens.file.is_empty() {
            return Ok(Tokens { bearers: None, rate, shown });
        }
        let mut known: HashMap<&str, &Arc<Bearer>> = HashMap::new();
        let before = before.and_then(|before| before.bearers.as_ref());
        for bearer in before.into_iter().flat_map(HashMap::values).flatten() {
            known.insert(&bearer.entry.name, bearer);
        }
        let mut bearers: HashMap<_, Vec<_>> = HashMap::new();
        let path = Path::new(&config.tokens.file);
        for entry in if known.is_empty() { read(path)? } else { file::read_again(path)? } {
            let bearer = Bearer::new(known.get(entry.name.as_str()).copied(), entry);
            bearers.entry(bearer.entry.sha256.start()).or_default().push(Arc::new(bearer));
        }
        Ok(Tokens { bearers: Some(bearers), rate, shown })
    }

    /// Returns how many of these tokens are not accepted by `next`, and how many there are.
    pub(crate) fn gone_in(&self, next: &Tokens) -> (usize, usize) {
        let all = || self.bearers.iter().flat_map(HashMap::values).flatten();
        let opens = |digest: &Digest| {
            let alike = next.bearers.as_ref().and_then(|bearers| bearers.get(&digest.start()));
            alike.into_iter().flatten().any(|bearer| bearer.entry.sha256.is(digest))
        };
        let gone = all().filter(|bearer| !opens(&bearer.entry.sha256));
        (gone.count(), all().count())
    }

    /// Returns true if each client needs a token.
    pub(crate) fn are_needed(&self) -> bool {
        self.bearers.is_some()
    }

    /// Returns the header with the token that this server sends to others.
    pub(crate) fn shown(&self) -> Option<&HeaderValue> {
        self.shown.as_ref()
    }

    /// Returns the permissions of a token, by its digest. All protocols check tokens here. The
    /// digest is not computed if tokens are not needed.
    ///
    /// # Errors
    /// [`Denial::Nobody`] without a token, [`Denial::Unknown`] for an unknown one.
    pub(crate) fn grant(
        &self,
        client: Client,
        shown: impl FnOnce() -> Option<Digest>,
    ) -> Result<Grant, Denial> {
        let Some(bearers) = &self.bearers else {
            return Ok(self.everything(client));
        };
        let digest = shown().ok_or(Denial::Nobody)?;
        let alike = bearers.get(&digest.start()).into_iter().flatten();
        let bearer = alike.into_iter().find(|bearer| bearer.entry.sha256.is(&digest));
        let bearer = Arc::clone(bearer.ok_or(Denial::Unknown)?);
        Ok(Grant { bearer: Some(bearer), client, rate: self.rate })
    }

    /// Returns the tokens as operators see them, sorted by name; `None` if no token is needed.
    pub(crate) fn rows(&self) -> Option<Rows<TokenOf, TokenNow>> {
        let all = self.bearers.as_ref()?.values().flatten();
        let rows = all.map(|bearer| Row {
            name: Arc::clone(&bearer.name),
            of: Arc::clone(&bearer.shown),
            now: bearer.usage.now(),
        });
        let mut rows: Vec<_> = rows.collect();
        rows.sort_by(|one, other| one.name.cmp(&other.name));
        Some(rows)
    }

    /// Returns the permissions of a client that needs no token.
    pub(crate) fn everything(&self, client: Client) -> Grant {
        Grant { bearer: None, client, rate: self.rate }
    }
}

impl Bearer {
    fn new(before: Option<&Arc<Bearer>>, entry: Entry) -> Bearer {
        let allowance = entry.rate.map(|rate| {
            let of = Allowance::a_second(rate);
            Allowance { burst: entry.burst.map_or(of.burst, u64::from), ..of }
        });
        let (meter, usage) = match before {
            Some(before) => (Arc::clone(&before.meter), Arc::clone(&before.usage)),
            None => (Arc::default(), Arc::default()),
        };
        let shown = TokenOf {
            sources: entry.sources.iter().cloned().collect(),
            leases: entry.leases,
            reads: entry.reads,
            public_ids: entry.public_ids.iter().cloned().collect(),
            rate: entry.rate,
            max_count: entry.max_count,
        };
        let name = entry.name.as_str().into();
        let has_all = entry.sources.contains(ALL);
        Bearer { name, entry, has_all, shown: Arc::new(shown), allowance, meter, usage }
    }

    /// Returns true if it permits public IDs of this type.
    fn may_of(&self, kind: &str) -> bool {
        self.entry.public_ids.contains(kind) || self.entry.public_ids.contains(ALL)
    }

    fn forbidden(&self, what: &str) -> Denial {
        Denial::Forbidden(format!("the token {} may not {what}", self.entry.name))
    }

    /// Returns the most IDs that one request may ask for.
    fn most(&self) -> u64 {
        let of_rate = self.allowance.map_or(u64::MAX, |of| of.burst);
        self.entry.max_count.map_or(u64::MAX, u64::from).min(of_rate)
    }
}

/// The permissions of a client.
#[derive(Clone, Debug)]
pub(crate) struct Grant {
    /// The token; `None` if none is needed, which permits everything.
    bearer: Option<Arc<Bearer>>,
    client: Client,
    rate: u32,
}

impl Grant {
    /// Returns the same permissions without the limit for addresses. The server that sent the
    /// request has already counted its client.
    pub(crate) fn without_rate_of_address(&self) -> Grant {
        Grant { rate: 0, ..self.clone() }
    }

    /// Counts a use of the token.
    #[inline]
    pub(crate) fn note_use(&self) {
        if let Some(bearer) = &self.bearer {
            bearer.usage.note(self.client);
        }
    }

    /// Returns the token's name.
    pub(crate) fn name(&self) -> Option<&str> {
        self.bearer.as_ref().map(|bearer| bearer.entry.name.as_str())
    }

    /// Returns true if it permits every source.
    #[inline]
    pub(crate) fn has_all(&self) -> bool {
        self.bearer.as_ref().is_none_or(|bearer| bearer.has_all)
    }

    /// Returns true if it permits this source, which need not exist.
    #[inline]
    pub(crate) fn has(&self, source: &str) -> bool {
        let is_among = |bearer: &Arc<Bearer>| bearer.entry.sources.contains(source);
        self.has_all() || self.bearer.as_ref().is_some_and(is_among)
    }

    /// Checks that IDs of a source are permitted.
    ///
    /// # Errors
    /// [`Denial::Forbidden`].
    pub(crate) fn check_source(&self, source: &str) -> Result<(), Denial> {
        match &self.bearer {
            Some(bearer) if !self.has(source) => {
                let shown: String = source.chars().take(snowmint::MAX_TAG_LENGTH).collect();
                Err(bearer.forbidden(&format!("ask for {shown:?}")))
            }
            _ => Ok(()),
        }
    }

    /// Checks that public IDs of a type are permitted.
    ///
    /// # Errors
    /// [`Denial::Forbidden`], whether the type exists or not.
    pub(crate) fn check_public_ids(&self, kind: &str) -> Result<(), Denial> {
        match &self.bearer {
            Some(bearer) if !bearer.may_of(kind) => {
                let shown: String = kind.chars().take(MAX_TYPE_LENGTH).collect();
                Err(bearer.forbidden(&format!("make or read public IDs of type {shown:?}")))
            }
            _ => Ok(()),
        }
    }

    /// Checks that leases are permitted.
    ///
    /// # Errors
    /// [`Denial::Forbidden`].
    pub(crate) fn check_leases(&self) -> Result<(), Denial> {
        match &self.bearer {
            Some(bearer) if !bearer.entry.leases => Err(bearer.forbidden("lease anything")),
            _ => Ok(()),
        }
    }

    /// Returns true if it may read the state of its sources.
    pub(crate) fn reads(&self) -> bool {
        self.bearer.as_ref().is_none_or(|bearer| bearer.entry.reads)
    }

    /// Checks that reading the state is permitted.
    ///
    /// # Errors
    /// [`Denial::Forbidden`].
    pub(crate) fn check_reads(&self) -> Result<(), Denial> {
        match &self.bearer {
            Some(bearer) if !self.reads() => Err(bearer.forbidden("see what sources are doing")),
            _ => Ok(()),
        }
    }

    /// Returns the most IDs that one request may ask for, beside the limits for all clients.
    pub(crate) fn most(&self) -> u64 {
        match &self.bearer {
            Some(bearer) => bearer.most(),
            None => self.of_address().map_or(u64::MAX, |of| of.burst),
        }
    }

    /// Takes `count` IDs from the rate limit.
    ///
    /// # Errors
    /// [`Denial::TooMany`] for more than is ever allowed at once, [`Denial::TooFast`].
    #[inline]
    pub(crate) fn take(&self, quotas: &Quotas, count: u64) -> Result<(), Denial> {
        let most = self.most();
        if count > most {
            return Err(Denial::TooMany { most });
        }
        let taken = self.metered(quotas, |of, meter| meter.take(of, now_ns(), count));
        taken.unwrap_or(Ok(())).map_err(|after| self.too_fast(after))
    }

    /// Takes `count` from the rate limit, then mints. A failure puts them back.
    ///
    /// # Errors
    /// As [`Grant::take`]; the inner result is that of minting.
    #[inline]
    pub(crate) async fn counted<T>(
        &self,
        quotas: &Quotas,
        count: u64,
        minting: impl AsyncFnOnce() -> Result<T>,
    ) -> Result<Result<T>, Denial> {
        self.take(quotas, count)?;
        let mut taken = Taken { grant: self, quotas, count };
        let minted = minting().await;
        if minted.is_ok() {
            taken.count = 0;
        }
        Ok(minted)
    }

    /// Takes as many as the rate limit has, at most `most`, and returns how many. Return unused
    /// ones with [`Grant::give_back`].
    ///
    /// # Errors
    /// [`Denial::TooFast`].
    pub(crate) fn take_up_to(&self, quotas: &Quotas, most: u64) -> Result<u64, Denial> {
        let most = most.min(self.most());
        let taken = self.metered(quotas, |of, meter| meter.take_up_to(of, now_ns(), most));
        taken.unwrap_or(Ok(most)).map_err(|after| self.too_fast(after))
    }

    /// Puts back what was taken and not used.
    pub(crate) fn give_back(&self, quotas: &Quotas, count: u64) {
        self.metered(quotas, |of, meter| meter.give_back(of, count));
    }

    /// Calls `ask` with the meter of the token or address, if there is a limit.
    #[inline]
    fn metered<T>(&self, quotas: &Quotas, ask: impl FnOnce(&Allowance, &Meter) -> T) -> Option<T> {
        match &self.bearer {
            Some(bearer) => bearer.allowance.as_ref().map(|of| ask(of, &bearer.meter)),
            None => {
                let of = self.of_address()?;
                quotas.rates.of(self.client, |meter| ask(&of, meter))
            }
        }
    }

    /// Returns the allowance of an address without a token, if it is limited.
    #[inline]
    fn of_address(&self) -> Option<Allowance> {
        let is_limited = self.rate > 0 && self.client.is_known();
        is_limited.then(|| Allowance::a_second(self.rate))
    }

    fn too_fast(&self, after: Duration) -> Denial {
        let whose = match &self.bearer {
            Some(bearer) => format!("the token {} has", bearer.entry.name),
            None => "your address has".to_owned(),
        };
        Denial::TooFast { after, what: format!("{whose} used up its IDs a second") }
    }
}

/// A taken amount that is put back on drop unless it was used, so also when the request is
/// cancelled.
struct Taken<'a> {
    grant: &'a Grant,
    quotas: &'a Quotas,
    count: u64,
}

impl Drop for Taken<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.count > 0 {
            self.grant.give_back(self.quotas, self.count);
        }
    }
}
