//! snowmint as WebAssembly: the engine, for browsers and systems without a native addon.
//!
//! It converts and decides nothing, and has the names and shapes of the addon's functions
//! (`bindings/node`). The JavaScript functions that make objects for it are in
//! `packages/npm/lib/browser/made.mjs`. The crate in `glue` generates the code between the two.
//!
//! - Layouts, generators and buffers are opaque handles, which JavaScript's collector frees.
//! - Failures throw the package's own error. One function is called too often for a `Result`, which
//!   takes as long as an ID: see `MachineHandle::id_at`.
//!
//! There is no clock, no randomness and no I/O: time is an argument.

#![cfg_attr(target_arch = "wasm32", no_std)]
#![allow(unreachable_pub, reason = "what is exported has to be pub")]

extern crate alloc;

mod failure;
mod layouts;
mod lent;
mod machines;
mod made;
#[cfg(feature = "reading")]
mod reading;
mod segments;
mod tables;
mod texts;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// A panic is a defect: it traps, which JavaScript sees as a `WebAssembly.RuntimeError`.
#[cfg(target_arch = "wasm32")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
