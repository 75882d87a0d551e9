/** Not for users: the native side, and how it is found. */
package io.github.snowmint.internal;
