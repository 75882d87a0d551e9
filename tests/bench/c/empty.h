/* A function of a shared library that does nothing, to measure the cost of the call. */
#ifndef EMPTY_H
#define EMPTY_H

#include <stdint.h>

uint32_t empty_call(const void *source, uint64_t *id);

#endif
