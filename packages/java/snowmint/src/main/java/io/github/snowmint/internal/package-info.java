/** The native side and the way it is found. This package is not for users. */
package io.github.snowmint.internal;
