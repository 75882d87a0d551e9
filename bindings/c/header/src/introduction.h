/*
 * snowmint: unique 64-bit IDs, minted anywhere. https://github.com/snowmint/snowmint
 * Licensed under MIT or Apache-2.0, at your option.
 *
 * Written from bindings/c by scripts/package-c: do not edit.
 *
 * The header begins with the ten functions that everybody needs. The rules of all functions, the
 * statuses and the limits follow. Then come the types and the other functions: sources of each kind and
 * their options, stats, events, stores and tags, layouts, texts, public IDs. Functions that take the
 * time as an argument are in snowmint_engine.h.
 */

#ifndef SNOWMINT_H
#define SNOWMINT_H
