//! snowmint for Python.
