/*
 * snowmint's deterministic machines: nothing here reads a clock, waits or does I/O. The time is an
 * argument, and a stall is a result. They are for simulators, tests, and runtimes that drive them
 * themselves. To mint IDs, you need snowmint.h alone. Its rules are those of these functions, too.
 * Licensed under MIT or Apache-2.0, at your option.
 *
 * Written from bindings/c by scripts/package-c: do not edit.
 */
