//! Process images that are restored, perhaps several times.

use crate::failure::guard_silently;

/// Tells the library that this process is an image restored or cloned: a snapshot of its virtual
/// machine, a checkpoint of CRIU. It drops every lease, range and answer under way, and each source
/// starts over at its next call, as in a forked child.
///
/// When: once after each restore, in the restored process, before the first ID; where machines are
/// cloned, in each. Nothing in a process tells that it was restored. Until the call the copies of an
/// image can issue the same IDs: for as long as its leases had reserved time, `reserve_ms`, and from
/// what was left of its ranges. A call too many only costs what is dropped, which is a gap.
///
/// Then: snowflakes with a leased worker ID take another lease; the one dropped ends by itself.
/// Segments, daily numbers and sequences fetch other ranges, and go on above every number issued
/// before. Fixed worker IDs are in every copy: their sources fail with `SNOWMINT_FORKED`, and have to
/// be opened anew, with a worker ID that no other copy has. A store in memory is in every copy, too:
/// it fails with `SNOWMINT_STORE_UNAVAILABLE`. One in a file that is part of the image is cloned with
/// it: use one outside. Connections of your own, behind your callbacks, are yours to open anew. UUIDs
/// go on; a `snowmint_machine` or `snowmint_buffer` stays as it is. Handles stay valid, closed ones
/// closed.
///
/// Threads: any, beside calls on any handle. When it returns, no call that begins issues what was
/// there before; one that another thread is in may still return such an ID. It never fails.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_on_restore() {
    guard_silently(snowmint::on_restore);
}
