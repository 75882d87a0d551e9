/**
 * The machines without clock, store or thread: time is an argument, waiting is a result. The same
 * calls give the same IDs in every language.
 */
package io.github.snowmint.engine;
