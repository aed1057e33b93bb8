"""Instance types of clouds stand for GPUs and networks of the catalog."""

from core.catalog import GPUS, LINKS
from core.catalog.instances import INSTANCES


def test_an_instance_type_names_entries_of_the_catalog():
    """GPU and network of each type are entries, no network for cards; one that names its instances is theirs."""
    assert [item.name for item in INSTANCES if item.gpu not in GPUS or item.network not in ("", *LINKS)] == []
    of_links = {(name, link.id) for link in LINKS.values() for name in link.instances}
    of_types = {(item.name.partition(".")[0], item.network) for item in INSTANCES}
    assert of_links
    assert of_links <= of_types
