//! Process images that are restored, perhaps several times.

use crate::failure::guard_silently;

/// Tells the library that this process is a restored or cloned image, for example from a snapshot
/// of its virtual machine or a checkpoint of CRIU. The library drops every lease, range and answer
/// under way. Each source starts over at its next call, as in a forked child.
///
/// When: call it once after each restore, in the restored process, before the first ID. If machines
/// are cloned, call it in each of them. A process cannot detect that it was restored. Until the
/// call the copies of an image can issue the same IDs, up to the end of the reservations in the
/// image. These are a lease's reserved time (`reserve_ms`), or the rest of a range. An unnecessary
/// call only costs a gap.
///
/// Then: snowflakes with a leased worker ID take another lease; the dropped lease ends by itself.
/// Segments, daily numbers and sequences fetch other ranges, and go on above every number issued
/// before. Fixed worker IDs are in every copy. Their sources fail with `SNOWMINT_FORKED`; open them
/// anew with a worker ID that no other copy has. A store in memory is in every copy, too, and fails
/// with `SNOWMINT_STORE_UNAVAILABLE`. A store in a file that is part of the image is cloned with
/// it: keep the file outside the image. You have to open the connections behind your callbacks
/// anew. UUIDs go on. A `snowmint_machine` or `snowmint_buffer` stays as it is. Handles stay valid,
/// and closed handles stay closed.
///
/// Threads: any, during calls on any handle. Once it returns, no new call issues an ID that was
/// there before. A call that another thread had begun may still return such an ID. It never fails.
#[unsafe(no_mangle)]
pub extern "C" fn snowmint_on_restore() {
    guard_silently(snowmint::on_restore);
}
