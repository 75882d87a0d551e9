//! Keeps the library mapped: a scheduler's thread may be in it when Java unloads a class loader. On
//! macOS it names the library, which otherwise has the path of its build as its name.

fn main() {
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux") => println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete"),
        Ok("macos") => {
            let name = "@rpath/libsnowmint_java.dylib";
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,{name}");
        }
        _ => {}
    }
    println!("cargo::rerun-if-changed=build.rs");
}
