/*
 * snowmint: unique 64-bit IDs, minted anywhere. https://github.com/snowmint/snowmint
 * Licensed under MIT or Apache-2.0, at your option.
 *
 * Written from bindings/c by scripts/package-c: do not edit.
 *
 * First the ten functions that everybody needs. Then the rules of all, the statuses and the limits; then
 * the types, and the rest of the functions: sources of each kind and their options, stats, events, stores
 * and tags, layouts, texts, public IDs. What takes the time as an argument is in snowmint_engine.h.
 */

#ifndef SNOWMINT_H
#define SNOWMINT_H
