//! Passes the linker the flags for a Node addon.

fn main() {
    napi_build::setup();
}
