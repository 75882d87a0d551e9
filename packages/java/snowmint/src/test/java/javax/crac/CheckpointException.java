package javax.crac;

/** As CRaC has it. */
public class CheckpointException extends Exception {
  private static final long serialVersionUID = 1L;
}
