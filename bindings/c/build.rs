//! Names the shared library for the dynamic linker.

/// The number of the binary interface: raised by a release whose library cannot take the place of
/// the one before it. `src/version.rs` reads it, and packages/c/install names files after it.
const ABI_VERSION: u32 = 0;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=SNOWMINT_ABI_VERSION={ABI_VERSION}");
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux") => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libsnowmint.so.{ABI_VERSION}");
            // Scheduler threads run the library's code until the process ends: it is never unloaded.
            println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
        }
        Ok("macos") => {
            let name = format!("@rpath/libsnowmint.{ABI_VERSION}.dylib");
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,{name}");
        }
        _ => {}
    }
}
