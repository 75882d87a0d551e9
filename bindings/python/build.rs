//! Lets the linker of macOS leave Python's functions to the interpreter that loads the module, and
//! names the module, which otherwise has the path of its build as its name.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    pyo3_build_config::add_extension_module_link_args();
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "macos") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/_native.abi3.so");
    }
}
