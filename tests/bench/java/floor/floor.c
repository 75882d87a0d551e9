/* Floors of Java's native methods: any, one that also reads the cheapest clock of wall time, and
 * one that returns a text. */
#define _GNU_SOURCE
#include <jni.h>
#include <stdint.h>
#include <time.h>

#ifdef CLOCK_REALTIME_COARSE
#define CLOCK CLOCK_REALTIME_COARSE
#else
#define CLOCK CLOCK_REALTIME
#endif

int64_t Java_io_github_snowmint_bench_Floors_empty(void *environment, void *type, int64_t handle) {
  (void)environment;
  (void)type;
  return handle;
}

int64_t Java_io_github_snowmint_bench_Floors_clock(void *environment, void *type, int64_t handle) {
  (void)environment;
  (void)type;
  struct timespec now;
  clock_gettime(CLOCK, &now);
  return handle + (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* As long as a token. */
JNIEXPORT jstring JNICALL Java_io_github_snowmint_bench_Floors_text(JNIEnv *environment, jclass type,
                                                                    jlong handle, jlong id) {
  (void)type, (void)handle, (void)id;
  return (*environment)->NewStringUTF(environment, "order_104jcedamc8k6qwr3s4yva38vqq");
}
