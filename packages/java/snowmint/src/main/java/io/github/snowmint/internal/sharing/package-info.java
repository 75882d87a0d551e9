/** Classes for the modules beside this one, wherever they are. They are not a public interface. */
package io.github.snowmint.internal.sharing;
