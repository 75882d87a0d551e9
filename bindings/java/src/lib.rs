//! snowmint for Java.
