//! Calls of Java from any thread, and the class that takes them.

use std::sync::OnceLock;

use jni::objects::JClass;
use jni::refs::Weak;
use jni::sys::{JNI_OK, JNI_VERSION_1_8, jint};
use jni::{Env, EnvUnowned, JavaVM, jni_str};

/// `io.github.snowmint.internal.Callbacks`. Weak: a strong reference would keep its class loader
/// for ever.
static CALLBACKS: OnceLock<Weak<JClass<'static>>> = OnceLock::new();

/// Called by Java when it loads the library: remembers the machine, and the class in the loader
/// that loads it, which a keeper's thread could not find.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
extern "system" fn JNI_OnLoad(vm: *mut jni::sys::JavaVM, _: *mut std::ffi::c_void) -> jint {
    // SAFETY: the virtual machine calls this with itself.
    let vm = unsafe { JavaVM::from_raw(vm) };
    let found = vm.attach_current_thread(|env| {
        let class = env.find_class(jni_str!("io/github/snowmint/internal/Callbacks"))?;
        env.new_weak_ref(&class)
    });
    match found {
        Ok(class) => {
            let _ = CALLBACKS.set(class);
            JNI_VERSION_1_8
        }
        // Not a version: Java refuses the library.
        Err(_) => -1,
    }
}

/// The class with the methods that the native side calls.
pub(crate) fn callbacks<'local>(env: &mut Env<'local>) -> jni::errors::Result<JClass<'local>> {
    let gone = || jni::errors::Error::ObjectFreed;
    let class = CALLBACKS.get().ok_or_else(gone)?;
    class.upgrade_local(env)?.ok_or_else(gone)
}

/// Calls Java from this thread, which becomes a daemon thread of Java's for as long, unless it is
/// one of its threads already: a store that hangs must not keep Java from ending, and a resting
/// keeper is none of its threads.
pub(crate) fn with_java<T, E: From<jni::errors::Error>>(
    call: impl FnOnce(&mut Env<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let vm = JavaVM::singleton()?;
    let raw = vm.get_raw();
    let mut env = std::ptr::null_mut();
    // SAFETY: `raw` is the running virtual machine; `env` is a place for a pointer.
    let status = unsafe { ((**raw).v1_2.GetEnv)(raw, &mut env, JNI_VERSION_1_8) };
    let guest = status != JNI_OK;
    if guest {
        // SAFETY: as above; no arguments are allowed to be null.
        let status = unsafe {
            ((**raw).v1_4.AttachCurrentThreadAsDaemon)(raw, &mut env, std::ptr::null_mut())
        };
        if status != JNI_OK || env.is_null() {
            let error = jni::errors::JniError::ThreadDetached;
            return Err(jni::errors::Error::JniCall(error).into());
        }
    }
    // SAFETY: Java's environment of this thread, valid until it is detached below.
    let mut unowned = unsafe { EnvUnowned::from_raw(env.cast()) };
    let outcome = unowned.with_env(|env| env.with_local_frame(32, call)).into_outcome();
    if guest {
        // SAFETY: attached above, and every local reference ended with its frame.
        unsafe { ((**raw).v1_1.DetachCurrentThread)(raw) };
    }
    match outcome {
        jni::Outcome::Ok(value) => Ok(value),
        jni::Outcome::Err(error) => Err(error),
        jni::Outcome::Panic(payload) => std::panic::resume_unwind(payload),
    }
}
