package javax.crac;

/** Whom resources are registered with, as CRaC has it. */
public abstract class Context<R extends Resource> implements Resource {
  /** Has the resource told. */
  public abstract void register(R resource);
}
