//! snowmint as WebAssembly: the engine, for browsers and whatever has no native addon.
//!
//! It translates and decides nothing, under the names and in the shapes of the addon's functions
//! (`bindings/node`). The other half is `packages/npm/lib/browser/backend.js`.
//!
//! - Functions take and return numbers. Handles are addresses of values that live until JavaScript
//!   gives them back to a function that begins with `free`.
//! - Texts, rows and blocks of IDs pass through fixed places in memory: see `exchange`.
//! - An ID is returned bare, which costs a third of what a result does. The value that means
//!   failure may be an ID as well: `failure` tells. See there.
//! - Rows of facts are JSON, where a text of digits and an `n` is a bigint.
//!
//! There is no clock, no randomness and no I/O: time is an argument. There is no import either.

#![cfg_attr(target_arch = "wasm32", no_std)]
#![allow(unreachable_pub, reason = "what is exported has to be pub")]

extern crate alloc;

mod exchange;
mod failure;
mod json;
mod layouts;
mod machines;
mod segments;
mod tables;
mod texts;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
// SAFETY: a module's instance has one thread.
static ALLOCATOR: lol_alloc::AssumeSingleThreaded<lol_alloc::FreeListAllocator> =
    unsafe { lol_alloc::AssumeSingleThreaded::new(lol_alloc::FreeListAllocator::new()) };

/// A panic is a defect: it traps, which JavaScript sees as a `WebAssembly.RuntimeError`.
#[cfg(target_arch = "wasm32")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
