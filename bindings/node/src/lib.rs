//! snowmint for Node.
