"""Which parts of the shared question each page answers to."""

SYSTEM, RATES, SOFTWARE, MODEL, JOB, LOAD = "system", "rates", "software", "model", "job", "load"
PARTS = (SYSTEM, RATES, SOFTWARE, MODEL, JOB, LOAD)

USES: dict[str, tuple[str, ...]] = {
    "bandwidth_hierarchy": (SYSTEM, RATES, MODEL, LOAD),
    "collectives": (SYSTEM, RATES, SOFTWARE),
    "tensor_parallel": (SYSTEM, RATES, SOFTWARE, MODEL, LOAD),
    "scenarios": (),
    "gradient_sync": (SYSTEM, RATES, SOFTWARE, MODEL, JOB),
    "training": (SYSTEM, RATES, SOFTWARE, MODEL, JOB),
    "nvl72": (SYSTEM, RATES, SOFTWARE, MODEL, LOAD),
    "kv_transfer": (SYSTEM, RATES, MODEL, LOAD),
    "layouts": PARTS,
    "cost": (SYSTEM, RATES, SOFTWARE, MODEL, JOB),
    "measurements": (SYSTEM, RATES),
    "check": (SYSTEM, RATES),
    "job": (SYSTEM, RATES, SOFTWARE),
    "my_cluster": (SYSTEM,),
    "compare": (),
    "topology": (),
}
"""Parts of the question by page; a page that is not listed has no bar."""
