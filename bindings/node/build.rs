//! Passes the linker the flags for a Node addon. On macOS it names the addon, which otherwise has the
//! path of its build as its name.

fn main() {
    napi_build::setup();
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "macos") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/snowmint.node");
    }
}
