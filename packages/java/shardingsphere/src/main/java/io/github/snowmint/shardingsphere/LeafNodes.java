package io.github.snowmint.shardingsphere;

import io.github.snowmint.Code;
import io.github.snowmint.SnowmintException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import java.util.List;

/** The nodes of Leaf's servers in ZooKeeper, under Leaf's property names. */
final class LeafNodes {
  static final String SERVERS = "leaf.zk.list";
  static final String NAME = "leaf.name";
  static final String PORT = "leaf.snowflake.port";

  /**
   * The known properties. {@code leaf.key} is one of Leaf's own, and does not concern snowflakes.
   */
  static final List<String> KNOWN = List.of(SERVERS, NAME, PORT, "leaf.key");

  private static final long PORT_MAX = 65_535;

  private LeafNodes() {}

  /** Returns the URL that the properties mean. */
  static String url(Settings settings) {
    for (String name : List.of(NAME, PORT)) {
      if (!settings.has(name)) {
        throw new SnowmintException(
            Code.INVALID_PARAMETER,
            "there is " + SERVERS + " and no " + name + ": give the one that Leaf has");
      }
    }
    if (!settings.text(SERVERS).matches("[\\w.:\\[\\]-]+(,[\\w.:\\[\\]-]+)*")) {
      throw settings.invalid(SERVERS, "host:2181,host:2181");
    }
    if (!settings.text(NAME).matches("[\\w.-]+")) {
      throw settings.invalid(NAME, "a name as com.sankuai.leaf.opensource.test");
    }
    long port = settings.number(PORT, 1, PORT_MAX, 0);
    return "snowflake+zookeeper://" + settings.text(SERVERS) + "/snowflake/" + settings.text(NAME)
        + "?layout=leaf&policy=leaf&dialect=leaf&address=" + ownAddress() + ":" + port;
  }

  /** Returns the first address of this machine that is not a loopback address, as Leaf does. */
  private static String ownAddress() {
    try {
      for (NetworkInterface one : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        for (InetAddress address : Collections.list(one.getInetAddresses())) {
          if (one.isUp() && address instanceof Inet4Address && !address.isLoopbackAddress()) {
            return address.getHostAddress();
          }
        }
      }
    } catch (SocketException failure) {
      throw noAddress(failure);
    }
    throw noAddress(null);
  }

  private static SnowmintException noAddress(SocketException failure) {
    return new SnowmintException(
        Code.WORKER_NOT_CONFIGURED,
        "this machine has no address of its own, which its worker ID would belong to: give the"
            + " property url, with address=host:port",
        failure);
  }
}
