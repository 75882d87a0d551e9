//! `INFO`: the sections that Redis clients read.

use crate::service::RequestContext;
use crate::tokens::Grant;

/// The Redis version that clients are told, whose commands these are.
pub(super) const REDIS_VERSION: &str = "6.2.0";

/// Returns all sections, whichever were asked for. Lists only sources that the client may see.
pub(super) fn info(context: &RequestContext, grant: &Grant) -> String {
    let service = &context.service;
    let totals = service.totals();
    let uptime = service.begun.elapsed().unwrap_or_default().as_secs();
    let connected = service.connections();
    let accepted = totals.sum(|counters| &counters.connections);
    let refused = totals.sum(|counters| &counters.refused);
    let commands = totals.sum(|counters| &counters.resp_commands);
    // Some clients wait until this is 0.
    let loading = u8::from(!service.phases.has_started());
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!(
        "# Server\r\nredis_version:{REDIS_VERSION}\r\nsnowmint_version:{version}\r\n\
         redis_mode:standalone\r\nprocess_id:{}\r\nuptime_in_seconds:{uptime}\r\n\r\n\
         # Clients\r\nconnected_clients:{connected}\r\n\r\n\
         # Stats\r\ntotal_connections_received:{accepted}\r\nrejected_connections:{refused}\r\n\
         total_commands_processed:{commands}\r\n\r\n\
         # Persistence\r\nloading:{loading}\r\n\r\n\
         # Replication\r\nrole:master\r\nconnected_slaves:0\r\n\r\n# Sources\r\n",
        std::process::id()
    );
    let sees = |name: &str| grant.reads() && grant.has(name);
    for (named, health) in context.setup().sources.healths().filter(|(named, _)| sees(&named.name))
    {
        let (ids, name) = (named.issued.count(), &named.name);
        text += &format!("{name}:ids={ids},ready={}\r\n", u8::from(health.is_ready));
    }
    text
}
