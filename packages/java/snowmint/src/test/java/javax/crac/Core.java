package javax.crac;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A CRaC that makes no image: this process goes on as its own. {@code org.crac} finds it by its
 * name, as it finds that of a JDK which can.
 */
public final class Core {
  /** In the order in which they are told of a restore; of a checkpoint it is the other. */
  public static final List<Resource> RESOURCES = new CopyOnWriteArrayList<>();

  private static final Context<Resource> GLOBAL =
      new Context<>() {
        @Override
        public void register(Resource resource) {
          RESOURCES.add(resource);
        }

        @Override
        public void beforeCheckpoint(Context<? extends Resource> context) throws Exception {
          for (int at = RESOURCES.size() - 1; at >= 0; at--) {
            RESOURCES.get(at).beforeCheckpoint(context);
          }
        }

        @Override
        public void afterRestore(Context<? extends Resource> context) throws Exception {
          for (Resource resource : RESOURCES) {
            resource.afterRestore(context);
          }
        }
      };

  private Core() {}

  public static Context<Resource> getGlobalContext() {
    return GLOBAL;
  }

  public static void checkpointRestore() throws Exception {
    GLOBAL.beforeCheckpoint(GLOBAL);
    GLOBAL.afterRestore(GLOBAL);
  }
}
