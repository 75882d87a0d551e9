"""A tag that moves between stores of all kinds while processes take numbers of each, and moves that
are killed at any moment: no number twice. SNOWMINT_E2E_ROUNDS=200 is the long form."""

import threading

from driver import NO_ID, STORE, rounds, seeded

TAKERS = 2  # of each store


class Takers:
    """Processes that take numbers of a tag in each store, wherever it is."""

    def __init__(self, snowmint, stores, choose):
        self.snowmint, self.numbers, self.is_over = snowmint, [], False
        seeds = [(store, choose.random()) for store in stores for _ in range(TAKERS)]
        self.threads = [threading.Thread(target=self.take, args=one) for one in seeds]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        for thread in self.threads:
            thread.join()

    def take(self, store, seed):
        counts = (1, 7, 300)
        at = int(seed * len(counts))
        source = f"segment+{store}&tag=orders&wait_ms=2000"
        while not self.is_over:
            at = (at + 1) % len(counts)
            done = self.snowmint.run("id", "-n", counts[at], source)
            self.numbers.extend(done.ids)
            if done.status != 0:
                done.must_refuse(STORE, NO_ID, 2)


def test_a_tag_moves_while_numbers_are_taken(snowmint, postgres, mariadb, redis):
    choose = seeded("moves")
    stores = ["sqlite:ids.db?shared_file=false", postgres, mariadb, redis]
    for store in stores:
        snowmint.run("migrate", store).must_succeed()
    snowmint.run("segment", "create", stores[0], "orders", "--step", 50).must_succeed()
    here, killed, moved = stores[0], 0, 0
    with Takers(snowmint, stores, choose) as takers:
        while moved < rounds(12):
            there = choose.choice([store for store in stores if store != here])
            move = ["segment", "move", here, "orders", "--to", there]
            for _ in range(choose.randrange(3)):
                kill = ["timeout", "-s", "KILL", f"{choose.uniform(0.001, 0.06):.3f}"]
                killed += snowmint.run(*move, before=kill).status != 0
            snowmint.run(*move).must_succeed()
            here, moved = there, moved + 1
    numbers = takers.numbers
    assert numbers and killed
    assert len(numbers) == len(set(numbers))
    print(f"{moved} moves, {killed} killed, {len(numbers)} numbers, none twice")
