//! Calls to Java from any thread, and the Java class that receives them.

use std::ffi::CString;

use jni::errors::Error as JniError;
use jni::objects::{JClass, JObject};
use jni::refs::Global;
use jni::sys::{self, JNI_OK, JNI_VERSION_1_8, jint};
use jni::{Env, EnvUnowned, JavaVM, jni_str};

/// Remembers the virtual machine. Java calls this whenever a class loader loads the library.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
extern "system" fn JNI_OnLoad(vm: *mut sys::JavaVM, _: *mut std::ffi::c_void) -> jint {
    // SAFETY: the virtual machine calls this with itself.
    let _vm = unsafe { JavaVM::from_raw(vm) };
    JNI_VERSION_1_8
}

/// Returns the class `Callbacks` of the class loader that called the native side. Several class
/// loaders may share the library, so this works only on a thread that Java called from.
pub(crate) fn callbacks<'local>(env: &mut Env<'local>) -> jni::errors::Result<JClass<'local>> {
    env.find_class(jni_str!("io/github/snowmint/internal/Callbacks"))
}

/// The running virtual machine, and the functions to join and leave it.
#[derive(Clone, Copy)]
struct Machine {
    vm: *mut sys::JavaVM,
    functions: &'static sys::JNIInvokeInterface__1_4,
}

impl Machine {
    fn running() -> jni::errors::Result<Machine> {
        let vm = JavaVM::singleton()?.get_raw();
        // SAFETY: the virtual machine is a pointer to its table of functions.
        let table = unsafe { *vm };
        // SAFETY: the table is there as long as this library is loaded, and never changes.
        let table = unsafe { &*table };
        // SAFETY: every Java that loads this library has the functions of version 1.4.
        let functions = unsafe { &table.v1_4 };
        Ok(Machine { vm, functions })
    }
}

/// The attachment of this thread to Java, for the lifetime of the value. A thread that Java does
/// not know joins as a daemon, so a store that hangs does not keep Java from ending. It leaves with
/// the visit, so a resting scheduler is not a thread of Java.
struct Visit {
    env: *mut sys::JNIEnv,
    guest_of: Option<Machine>,
}

impl Visit {
    fn begin() -> jni::errors::Result<Visit> {
        let machine = Machine::running()?;
        let Machine { vm, functions } = machine;
        let mut env = std::ptr::null_mut();
        // SAFETY: `env` is a place for a pointer.
        let status = unsafe { (functions.GetEnv)(vm, &mut env, JNI_VERSION_1_8) };
        if status == JNI_OK {
            return Ok(Visit { env: env.cast(), guest_of: None });
        }
        let name = name_here();
        let mut arguments = sys::JavaVMAttachArgs {
            version: JNI_VERSION_1_8,
            name: name.as_ptr().cast_mut(),
            group: std::ptr::null_mut(),
        };
        let attach = functions.AttachCurrentThreadAsDaemon;
        // SAFETY: as above. Java copies the name, which lives until the call returns.
        let status = unsafe { attach(vm, &mut env, (&raw mut arguments).cast()) };
        if status != JNI_OK || env.is_null() {
            return Err(JniError::JniCall(jni::errors::JniError::ThreadDetached));
        }
        Ok(Visit { env: env.cast(), guest_of: Some(machine) })
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        if let Some(Machine { vm, functions }) = self.guest_of {
            // SAFETY: `begin` attached this thread, and no local reference is left.
            unsafe { (functions.DetachCurrentThread)(vm) };
        }
    }
}

/// Returns the name of this thread for Java's dumps and logs, which is the name that the library
/// gave.
fn name_here() -> CString {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("snowmint");
    CString::new(name).unwrap_or_else(|_| c"snowmint".to_owned())
}

/// Calls Java from the current thread, which may be any thread.
pub(crate) fn with_java<T, E: From<JniError>>(
    call: impl FnOnce(&mut Env<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let visit = Visit::begin()?;
    // SAFETY: Java's environment of this thread, valid until the visit ends.
    let mut unowned = unsafe { EnvUnowned::from_raw(visit.env) };
    match unowned.with_env(|env| env.with_local_frame(32, call)).into_outcome() {
        jni::Outcome::Ok(value) => Ok(value),
        jni::Outcome::Err(error) => Err(error),
        jni::Outcome::Panic(payload) => std::panic::resume_unwind(payload),
    }
}

/// A reference that keeps a Java object from being collected. Any thread may drop it.
pub(crate) struct Held(Option<Global<JObject<'static>>>);

impl Held {
    pub(crate) fn new<'any>(
        env: &Env<'_>,
        object: impl AsRef<JObject<'any>>,
    ) -> jni::errors::Result<Held> {
        Ok(Held(Some(env.new_global_ref(object.as_ref())?)))
    }

    /// Returns the object, which stays alive until this is dropped.
    pub(crate) fn object(&self) -> Option<&JObject<'static>> {
        self.0.as_deref()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let object = self.0.take();
        match Visit::begin() {
            Ok(_visit) => drop(object),
            // Java has ended, and the object is gone.
            Err(_) => std::mem::forget(object),
        }
    }
}
