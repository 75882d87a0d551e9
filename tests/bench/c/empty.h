/* What a call of a shared library costs that does nothing. */
#ifndef EMPTY_H
#define EMPTY_H

#include <stdint.h>

uint32_t empty_call(const void *source, uint64_t *id);

#endif
