/**
 * The machines without clock, store or thread. They take the time as an argument, and return how
 * long to wait. The same calls give the same IDs in every language.
 */
@NullMarked
package io.github.snowmint.engine;

import org.jspecify.annotations.NullMarked;
