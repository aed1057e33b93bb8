"""Instance types of clouds stand for GPUs and networks of the catalog."""

from core.catalog import GPUS, LINKS
from core.catalog.instances import INSTANCES
from core.verdict.cards import stand_in
from core.verdict.recognition import system_of
from gpu_probe.parsers import read


def test_an_instance_type_names_entries_of_the_catalog():
    """GPU and network of each type are entries, no network for cards; one that names its instances is theirs."""
    assert [item.name for item in INSTANCES if item.gpu not in GPUS or item.network not in ("", *LINKS)] == []
    of_links = {(name, link.id) for link in LINKS.values() for name in link.instances}
    of_types = {(item.name.partition(".")[0], item.network) for item in INSTANCES}
    assert of_links
    assert of_links <= of_types


def test_a_card_that_the_catalog_lacks_is_told_by_its_own_name():
    """g5 instances have A10G: what stands for them by its slot is not called theirs; g6e has L40S itself."""
    stood, own = (
        read("log", f"{name}.12xlarge: all_reduce busbw 10 GB/s with 4 GPUs".encode())[0]
        for name in ("g5", "g6e")
    )

    assert system_of(stood).remark.endswith("taken as 4 x L40S for A10G, a card on PCIe Gen4 x16")
    assert system_of(own).remark.endswith("taken as 4 x L40S")
    assert all(stand_in(item.card) == item.gpu for item in INSTANCES if item.card)
