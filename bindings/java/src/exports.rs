//! The macro that makes a function a native method.

/// Exports functions as native methods of `io.github.snowmint.internal.Native`. A guard around each
/// function throws an `Err` or a panic in Java, and the method returns a default.
macro_rules! natives {
    ($(
        $(#[$meta:meta])*
        fn $name:ident($env:ident $(, $argument:ident: $type:ty)* $(,)?)
        $(-> $result:ty)? $body:block
    )*) => { $(
        $(#[$meta])*
        #[unsafe(export_name =
            concat!("Java_io_github_snowmint_internal_Native_", stringify!($name)))]
        #[allow(non_snake_case, clippy::too_many_arguments, unused_variables)]
        extern "system" fn $name<'local>(
            mut env: jni::EnvUnowned<'local>,
            _class: jni::objects::JClass<'local>,
            $($argument: $type),*
        ) $(-> $result)? {
            $crate::failure::guard(&mut env, |$env| $body)
        }
    )* };
}

pub(crate) use natives;
