import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;

/** Counts by Lettuce, which speaks RESP 3: HOST PORT. Each number is on a line of its own. */
public final class LettuceClient {
    public static void main(String[] arguments) {
        var address = RedisURI.create(arguments[0], Integer.parseInt(arguments[1]));
        try (var client = RedisClient.create(address); var connection = client.connect()) {
            var commands = connection.sync();
            System.out.println(commands.incr("orders"));
            System.out.println(commands.incrby("orders", 10));
            var replies = java.util.stream.Stream.generate(() -> connection.async().incr("orders"));
            var numbers = replies.limit(100).toList();
            numbers.forEach(number -> System.out.println(number.toCompletableFuture().join()));
            commands.multi();
            commands.incr("orders");
            commands.expire("orders", 86_400);
            System.out.println((Object) commands.exec().get(0));
            System.out.println(commands.get("orders"));
            System.out.println(commands.incr("ids"));
        }
    }
}
