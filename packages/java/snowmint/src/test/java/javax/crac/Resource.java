package javax.crac;

/** An object that is told of images, as CRaC declares it. */
public interface Resource {
  /** Before an image is made. */
  void beforeCheckpoint(Context<? extends Resource> context) throws Exception;

  /** In each process that begins with the image. */
  void afterRestore(Context<? extends Resource> context) throws Exception;
}
