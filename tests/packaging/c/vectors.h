/* Reads tests/vectors as their README says. */
#ifndef VECTORS_H
#define VECTORS_H

#include <jansson.h>
#include <stdint.h>

#include "check.h"

/** A file of the vectors; the caller gives it back with json_decref. */
json_t *document(const char *name);
/** The list of a key. */
json_t *list(const json_t *value, const char *key);
/** The text of a key, which must be there. */
const char *text(const json_t *value, const char *key);
/** A 64-bit number of a key, written in its one decimal spelling. */
uint64_t wide(const json_t *value, const char *key);
int64_t wide_signed(const json_t *value, const char *key);
/** A number of at most 32 bits. */
uint32_t narrow(const json_t *value, const char *key);
int has(const json_t *value, const char *key);
/** Checks that an object has no keys but these, of which the last is NULL. */
void only(const json_t *value, const char *const *keys);
/** Checks that a case went as it says it should: 1 with a result to compare, 0 with its error. */
int judge(const json_t *value, snowmint_status status);
/** A preset's layout, or one of fields, epoch and tick. */
snowmint_status layout_of(const json_t *value, snowmint_layout **layout);
snowmint_start start_of(const json_t *value);
snowmint_policy policy_of(const json_t *value);
/** Fails with a case in the message. */
void fail(const json_t *value, const char *why);

void errors(void);
void layouts(void);
void presets(void);
void known_ids(void);
void guesses(void);
void texts(void);
void what_is_wrong_with_a_text(void);
void text_forms(void);
void policies(void);
void snowflakes(void);
void limits(void);
void ranges_and_steps(void);
void buffers(void);

#endif
