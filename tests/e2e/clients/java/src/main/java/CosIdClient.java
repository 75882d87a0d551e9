import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.stream.LongStream;
import me.ahoo.cosid.segment.DefaultSegmentId;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;

/**
 * Mints by CosId's own segments, plain and chained, from what its proxy server gives: BASE
 * NAMESPACE NAME STEP COUNT. Each ID is on a line of its own.
 */
public final class CosIdClient {
    /** Asks as the distributor of cosid-proxy does. */
    private record Proxy(HttpClient client, String base, String namespace, String name, long step)
            implements IdSegmentDistributor {
        void create() {
            var path = "/segments/distributor/%s/%s?offset=0&step=%d";
            send("POST", path.formatted(namespace, name, step));
        }

        @Override
        public long nextMaxId(long step) {
            var path = "/segments/%s/%s?step=%d".formatted(namespace, name, step);
            return Long.parseLong(send("PATCH", path));
        }

        @Override
        public String getNamespace() {
            return namespace;
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public long getStep() {
            return step;
        }

        private String send(String method, String path) {
            var request = HttpRequest.newBuilder(URI.create(base + path));
            request.header("Content-Type", "application/json; charset=utf-8");
            request.method(method, HttpRequest.BodyPublishers.ofString(""));
            try {
                var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() != 200) {
                    throw new IllegalStateException(answer.body());
                }
                return answer.body();
            } catch (IOException | InterruptedException failure) {
                throw new IllegalStateException(failure);
            }
        }
    }

    public static void main(String[] arguments) {
        var step = Long.parseLong(arguments[3]);
        var count = Long.parseLong(arguments[4]);
        var client = HttpClient.newHttpClient();
        var proxy = new Proxy(client, arguments[0], arguments[1], arguments[2], step);
        proxy.create();
        var plain = new DefaultSegmentId(proxy);
        LongStream.generate(plain::generate).limit(count).forEach(System.out::println);
        var chained = new SegmentChainId(proxy);
        LongStream.generate(chained::generate).limit(count).forEach(System.out::println);
        // The chain's thread, which fetches ahead, does not end by itself.
        System.out.flush();
        System.exit(0);
    }
}
