//! The errors of stores on sessions, with their messages.

errors! {
    tables_incomplete() => StoreSchema:
        "some tables of snowmint are there, and others are not: check which database this is, put \
         back those that are lost, or drop the others to begin a new key space";
}
