package io.github.snowmint;

import io.github.snowmint.internal.Native;

/**
 * The code of an error, the same in every language. Numbers and names are frozen. Generated from
 * {@code tests/vectors/errors.json} by {@code scripts/package-java --codes}.
 */
public enum Code {
  /** The fields do not make a layout of 64 bits. */
  INVALID_LAYOUT(100, "invalid_layout"),
  /** The clock reads a time before the layout's epoch. */
  EPOCH_IN_FUTURE(101, "epoch_in_future"),
  /** The layout's time field has run out; it still decodes. */
  LAYOUT_EXPIRED(102, "layout_expired"),
  /** A value does not fit its field. */
  FIELD_OUT_OF_RANGE(103, "field_out_of_range"),
  /** The ID's constant bits are not those of the layout. */
  ID_NOT_IN_LAYOUT(104, "id_not_in_layout"),
  /** The layout cannot express that time. */
  TIME_OUT_OF_RANGE(105, "time_out_of_range"),
  /** No preset has that name. */
  UNKNOWN_LAYOUT(106, "unknown_layout"),
  /** The clock is behind the time of an ID already issued. */
  CLOCK_BEHIND(200, "clock_behind"),
  /** Every sequence number of the tick is issued. */
  SEQUENCE_EXHAUSTED(201, "sequence_exhausted"),
  /** The reserved interval of time is used up. */
  GRANT_EXHAUSTED(202, "grant_exhausted"),
  /** The number of IDs asked for is 0 or too large. */
  COUNT_OUT_OF_RANGE(203, "count_out_of_range"),
  /** The source is closed. */
  CLOSED(204, "closed"),
  /** No ID could be had within the caller's bound. */
  WAIT_TIMEOUT(205, "wait_timeout"),
  /** The buffer holds no ID at the moment. */
  EMPTY(206, "empty"),
  /** The text has a symbol outside its form's alphabet. */
  INVALID_TEXT(300, "invalid_text"),
  /** The text is too short or too long for its form. */
  TEXT_LENGTH(301, "text_length"),
  /** The text means a number above 64 bits. */
  TEXT_OVERFLOW(302, "text_overflow"),
  /** The check symbol does not match. */
  TEXT_CHECK(303, "text_check"),
  /** The number has another, canonical spelling. */
  TEXT_NOT_CANONICAL(304, "text_not_canonical"),
  /** No text form has that name. */
  UNKNOWN_TEXT_FORM(305, "unknown_text_form"),
  /** The tag is empty, too long or has a forbidden character. */
  INVALID_TAG(400, "invalid_tag"),
  /** The step is 0 or above its limit. */
  INVALID_STEP(401, "invalid_step"),
  /** The range is empty, its stride is 0, or it passes its limit. */
  INVALID_RANGE(402, "invalid_range"),
  /** The store gave a range that is not above the last one. */
  RANGE_REGRESSED(403, "range_regressed"),
  /** The tag has reached its largest number. */
  TAG_EXHAUSTED(404, "tag_exhausted"),
  /** The store has no such tag. */
  UNKNOWN_TAG(405, "unknown_tag"),
  /** The store has that tag already. */
  TAG_EXISTS(406, "tag_exists"),
  /** The key's section would have too long a tag. */
  INVALID_KEY(407, "invalid_key"),
  /** The tag goes on in another store. */
  TAG_MOVED(408, "tag_moved"),
  /** Another generator holds that worker ID. */
  WORKER_IN_USE(500, "worker_in_use"),
  /** No worker ID of the store is free. */
  WORKERS_EXHAUSTED(501, "workers_exhausted"),
  /** The lease belongs to another holder now. */
  LEASE_LOST(502, "lease_lost"),
  /** The lease ran out and the store could not renew it. */
  LEASE_UNAVAILABLE(503, "lease_unavailable"),
  /** The environment names no worker ID. */
  WORKER_NOT_CONFIGURED(504, "worker_not_configured"),
  /** The clock is far behind the time this worker ID has reserved. */
  MARK_AHEAD(505, "mark_ahead"),
  /** The worker's state file cannot be read as one. */
  STATE_CORRUPT(506, "state_corrupt"),
  /** The store or state file belongs to another layout. */
  REALM_MISMATCH(507, "realm_mismatch"),
  /** A forked child cannot share a fixed worker ID with its parent. */
  FORKED(508, "forked"),
  /** The fixed worker ID's state file is missing where it is required, or gone while in use. */
  STATE_MISSING(509, "state_missing"),
  /** The clock is not that of the others who take worker IDs there. */
  CLOCK_DIFFERS(510, "clock_differs"),
  /** Another process holds the database's lock. */
  STORE_LOCKED(600, "store_locked"),
  /** The database or file cannot be written. */
  STORE_READ_ONLY(601, "store_read_only"),
  /** The file is not a database, or a damaged one. */
  STORE_CORRUPT(602, "store_corrupt"),
  /** The database's tables are not of a schema known here. */
  STORE_SCHEMA(603, "store_schema"),
  /** The disk or the database is full. */
  STORE_FULL(604, "store_full"),
  /** The store cannot be reached or does not answer. */
  STORE_UNAVAILABLE(605, "store_unavailable"),
  /** The commit was not confirmed; what it reserved is not used. */
  OUTCOME_UNKNOWN(606, "outcome_unknown"),
  /** There is no such file or schema: creating one has to be asked for. */
  STORE_MISSING(607, "store_missing"),
  /** The store refuses this user, password or token. */
  STORE_DENIED(608, "store_denied"),
  /** The store is not the incarnation that granted this. */
  INCARNATION_CHANGED(609, "incarnation_changed"),
  /** The store is set up so that it could lose what it acknowledges. */
  UNSAFE_SETTING(610, "unsafe_setting"),
  /** The store has too much to do, and says when to ask again. */
  OVERLOADED(611, "overloaded"),
  /** The store answered with what no store may answer; it is not used. */
  INVALID_ANSWER(612, "invalid_answer"),
  /** The source URL cannot be parsed. */
  INVALID_URL(700, "invalid_url"),
  /** No source has that URL scheme. */
  UNKNOWN_SCHEME(701, "unknown_scheme"),
  /** The source has no such parameter. */
  UNKNOWN_PARAMETER(702, "unknown_parameter"),
  /** A parameter's value is missing or not of its kind. */
  INVALID_PARAMETER(703, "invalid_parameter"),
  /** The date or zone is outside what can be expressed. */
  INVALID_TIME(704, "invalid_time"),
  /** The source cannot do what was asked of it. */
  UNSUPPORTED(705, "unsupported"),
  /** The keys of public IDs are missing, malformed, weak or not unique. */
  INVALID_KEYS(800, "invalid_keys"),
  /** Others can read or change the file of the keys. */
  KEYS_EXPOSED(801, "keys_exposed"),
  /** The text is not of the type of public ID asked for. */
  WRONG_TYPE(802, "wrong_type"),
  /** No ID has that public form. */
  NOT_FOUND(803, "not_found"),
  /** A defect in snowmint; please report it. */
  INTERNAL(900, "internal"),
  /** The system gives no thread, memory or random numbers. */
  NO_RESOURCE(901, "no_resource");

  private final int number;
  private final String label;

  Code(int number, String label) {
    this.number = number;
    this.label = label;
  }

  /**
   * Returns the frozen number.
   *
   * @return a number from 100 on
   */
  public int number() {
    return number;
  }

  /**
   * Returns the frozen name, in snake_case.
   *
   * @return the name that every language has
   */
  public String label() {
    return label;
  }

  /**
   * Returns the code of a number.
   *
   * @param number a number of the table
   * @return its code, or {@link #INTERNAL} for a number that is not in the table
   */
  public static Code of(int number) {
    for (Code code : values()) {
      if (code.number == number) {
        return code;
      }
    }
    return INTERNAL;
  }

  /**
   * Returns true if the same call can succeed later. Otherwise somebody has to act first.
   *
   * @return true if a retry makes sense
   */
  public boolean isTransient() {
    return ((long[]) Native.codes()[1])[2 * ordinal() + 1] != 0;
  }

  /**
   * Returns a sentence that explains the code.
   *
   * @return the sentence, in English
   */
  public String summary() {
    return ((String[]) Native.codes()[0])[2 * ordinal() + 1];
  }
}
