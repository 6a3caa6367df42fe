package dev.grapnel.store.row;

/// A part of a row. The number is written to disk and never given to another part; the name is for people.
record Field(int number, String name) {}
