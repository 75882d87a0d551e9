package io.github.snowmint.shardingsphere;

/** Makes keys of worker 7 in the directory given, and ends without closing anything. */
final class HaltedProcess {
  private HaltedProcess() {}

  public static void main(String[] arguments) {
    Generator keys =
        Generators.open("SNOWMINT_SNOWFLAKE", "worker-id", 7, "state-directory", arguments[0]);
    System.out.println(Generators.keys(keys, 10_000).stream().toList().get(9_999));
    Runtime.getRuntime().halt(0);
  }

  /** Runs it, and returns its last key. */
  static long run(String directory) throws Exception {
    String launcher = System.getProperty("java.home") + "/bin/java";
    Process process =
        new ProcessBuilder(
                launcher,
                "-cp",
                System.getProperty("java.class.path"),
                HaltedProcess.class.getName(),
                directory)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    return Long.parseLong(said.strip());
  }
}
