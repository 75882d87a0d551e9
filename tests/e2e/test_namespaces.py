"""Applications that share a store, each with a namespace of its own."""

from driver import INPUT


def test_two_applications_never_share_numbers(snowmint):
    create = ["segment", "create", "sqlite:ids.db?create=true"]
    for tag in ("orders", "shop/orders", "shop/bills", "shopping/orders"):
        snowmint.run(*create, tag, "--step", "10").must_succeed()
    plain, shop = "segment+sqlite:ids.db?tag=orders", "segment+sqlite:ids.db?namespace=shop&tag=orders"
    assert [snowmint.mint(source, "-n", 2) for source in (plain, shop, plain, shop)] == [
        [1, 2],
        [1, 2],
        [3, 4],
        [3, 4],
    ]
    listed = snowmint.run("segment", "list", "ids.db", "--namespace", "shop").must_succeed().output
    assert [line.split()[0] for line in listed.splitlines()[1:]] == ["shop/bills", "shop/orders"]
    everything = snowmint.run("segment", "list", "ids.db").must_succeed().output
    assert len(everything.splitlines()) == 5
    wrong = snowmint.run("segment", "list", "ids.db", "--namespace", "sh/op")
    wrong.must_refuse(INPUT, saying="error[invalid_tag]")
