package com.snowmint.bench;

import java.util.concurrent.atomic.AtomicLong;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Leaf's path on Leaf's stack, and nothing behind it but a counter: what Leaf at most can do. */
@SpringBootApplication
@RestController
public class Counting {
    private final AtomicLong last = new AtomicLong();

    @GetMapping("/api/segment/get/{key}")
    String next(@PathVariable("key") String key) {
        return Long.toString(last.incrementAndGet());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(Counting.class, arguments);
    }
}
