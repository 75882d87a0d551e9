/** For the modules beside this one, wherever they are: no interface to rely on. */
package io.github.snowmint.internal.sharing;
