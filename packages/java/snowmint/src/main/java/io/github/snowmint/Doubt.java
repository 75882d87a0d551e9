package io.github.snowmint;

/** The reason why a {@link Guess} is not likely. */
public enum Doubt {
  /** Systems that have such IDs would give it another time, and its bits do not decide. */
  AMBIGUOUS,
  /** Its bits are unusual for the system, or another system is far likelier. */
  UNLIKELY,
  /** Few have this layout. Only a text that names the system makes it likely. */
  RARE,
  /** The layout has expired, so that no new ID is from it. */
  EXPIRED,
  /** It would be from the layout's first month, in which all numbers of 13 to 16 digits are. */
  YOUNG
}
