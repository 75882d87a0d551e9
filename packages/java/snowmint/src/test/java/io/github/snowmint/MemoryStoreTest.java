package io.github.snowmint;

class MemoryStoreTest extends WorkerStoreSuite<Store> {
  @Override
  Store make() {
    return Store.memory();
  }

  @Override
  int patience() {
    return 2000;
  }
}
