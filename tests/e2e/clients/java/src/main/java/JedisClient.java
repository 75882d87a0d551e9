import redis.clients.jedis.Jedis;

/** Counts by Jedis: HOST PORT. Each number is on a line of its own. */
public final class JedisClient {
    public static void main(String[] arguments) {
        try (var jedis = new Jedis(arguments[0], Integer.parseInt(arguments[1]))) {
            System.out.println(jedis.incr("orders"));
            System.out.println(jedis.incrBy("orders", 10));
            try (var pipeline = jedis.pipelined()) {
                var numbers = java.util.stream.Stream.generate(() -> pipeline.incr("orders"));
                var replies = numbers.limit(100).toList();
                pipeline.sync();
                replies.forEach(reply -> System.out.println(reply.get()));
            }
            try (var batch = jedis.multi()) {
                batch.incr("orders");
                batch.expire("orders", 86_400);
                System.out.println(batch.exec().get(0));
            }
            System.out.println(jedis.get("orders"));
            System.out.println(jedis.incr("ids"));
        }
    }
}
