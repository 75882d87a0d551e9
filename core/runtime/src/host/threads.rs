//! Threads of this library, which also run in a forked child.
//!
//! Rust's standard library takes a lock as each of its threads begins and ends. A process that
//! forks meanwhile leaves that lock held in the child for ever, and any thread that the child
//! starts by [`std::thread`] waits for it. POSIX threads take no such lock.

use std::io;

/// Starts a detached thread that does `work`. The system shows the first 15 bytes of its name.
#[cfg(unix)]
pub(crate) fn start(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut text = [0; 16];
    text.iter_mut().zip(name.bytes().take(15)).for_each(|(to, from)| *to = from);
    posix::start(Box::new(move || {
        posix::set_name(text);
        // The panic message has already been printed.
        drop(crate::panics::caught(work));
    }))
}

/// Starts a detached thread that does `work`.
#[cfg(not(unix))]
pub(crate) fn start(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "threads of POSIX are started by the C library")]
mod posix {
    use std::ffi::c_void;
    use std::io;
    use std::mem::MaybeUninit;
    use std::ptr::null_mut;

    /// The stack size of Rust's own threads; the default of a C library can be too small.
    const STACK_BYTES: usize = 2 << 20;

    /// A fat pointer, which is boxed again to pass through a thin one.
    type Work = Box<dyn FnOnce() + Send>;

    pub(super) fn start(work: Work) -> io::Result<()> {
        let attributes = Attributes::new()?;
        let argument = Box::into_raw(Box::new(work));
        let mut thread = MaybeUninit::uninit();
        // SAFETY: `thread` is a place for the thread's number, and the attributes are initialised.
        // `begin` has the required signature, and takes over `argument`, which is not used
        // elsewhere.
        let failure = unsafe {
            libc::pthread_create(
                thread.as_mut_ptr(),
                &raw const attributes.0,
                begin,
                argument.cast(),
            )
        };
        if failure != 0 {
            // SAFETY: no thread was started, so the box is still owned here.
            drop(unsafe { Box::from_raw(argument) });
        }
        succeeded(failure)
    }

    extern "C" fn begin(argument: *mut c_void) -> *mut c_void {
        // SAFETY: this is the pointer that `start` made of a box, given to this thread alone.
        let work = unsafe { Box::from_raw(argument.cast::<Work>()) };
        work();
        null_mut()
    }

    /// The attributes of a detached thread.
    struct Attributes(libc::pthread_attr_t);

    impl Attributes {
        fn new() -> io::Result<Self> {
            let mut attributes = MaybeUninit::uninit();
            // SAFETY: a place for attributes.
            succeeded(unsafe { libc::pthread_attr_init(attributes.as_mut_ptr()) })?;
            // SAFETY: the call above succeeded, so the attributes are initialised.
            let mut made = Attributes(unsafe { attributes.assume_init() });
            let detached = libc::PTHREAD_CREATE_DETACHED;
            // SAFETY: the attributes are initialised, and the value is a valid state.
            succeeded(unsafe { libc::pthread_attr_setdetachstate(&raw mut made.0, detached) })?;
            // SAFETY: the attributes are initialised, and an unsuitable size is refused.
            succeeded(unsafe { libc::pthread_attr_setstacksize(&raw mut made.0, STACK_BYTES) })?;
            Ok(made)
        }
    }

    impl Drop for Attributes {
        fn drop(&mut self) {
            // SAFETY: the attributes were initialised, and are not used afterwards.
            unsafe { libc::pthread_attr_destroy(&raw mut self.0) };
        }
    }

    fn succeeded(failure: i32) -> io::Result<()> {
        if failure == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(failure)) }
    }

    /// Names this thread. The text must end with a zero byte.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(super) fn set_name(text: [u8; 16]) {
        // SAFETY: reads no memory.
        let thread = unsafe { libc::pthread_self() };
        // SAFETY: the text ends with a zero byte, and this thread is running.
        unsafe { libc::pthread_setname_np(thread, text.as_ptr().cast()) };
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    pub(super) fn set_name(_: [u8; 16]) {}
}
