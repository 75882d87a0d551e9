//! snowmint for C.
