/**
 * The machines without clock, store or thread: time is an argument, waiting is a result. The same
 * calls give the same IDs in every language.
 */
@NullMarked
package io.github.snowmint.engine;

import org.jspecify.annotations.NullMarked;
