import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.support.atomic.RedisAtomicLong;

/** Counts by Spring's RedisAtomicLong: HOST PORT. Each number is on a line of its own. */
public final class SpringClient {
    public static void main(String[] arguments) {
        var address =
            new RedisStandaloneConfiguration(arguments[0], Integer.parseInt(arguments[1]));
        var factory = new LettuceConnectionFactory(address);
        factory.afterPropertiesSet();
        factory.start();
        try {
            var orders = new RedisAtomicLong("orders", factory);
            System.out.println(orders.incrementAndGet());
            System.out.println(orders.getAndIncrement() + 1);
            System.out.println(orders.addAndGet(10));
            orders.expire(1, TimeUnit.DAYS);
            System.out.println(orders.get());
            System.out.println(new RedisAtomicLong("ids", factory).incrementAndGet());
        } finally {
            factory.destroy();
        }
    }
}
