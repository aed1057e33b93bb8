"""The largest message behind each set of constants, by collective, in bytes.

Written by `python -m core.collectives.refit`; edit the fit, not this file.
"""

# fmt: off
LARGEST_BYTES = {
    "efa-100/volta": {"all_reduce": 8388608},
    "efa-3200/blackwell": {"all_gather": 8589934592, "all_reduce": 68719476736, "all_to_all": 17179869184,
        "reduce_scatter": 8589934592},
    "efa-3200/hopper": {"all_reduce": 17179869184},
    "efa-400/ampere": {"all_reduce": 4294967296},
    "ib/ampere": {"all_gather": 1073741824, "all_reduce": 4294967296, "all_to_all": 1073741824, "gather":
        4294967296},
    "ib/blackwell": {"all_reduce": 8589934592},
    "ib/hopper": {"all_gather": 17179869184, "all_reduce": 17179869184, "all_to_all": 17179869184,
        "reduce_scatter": 17179869184, "send_recv": 17179869184},
    "mesh": {"all_reduce": 17179869184, "all_to_all": 17179869184},
    "mesh-cdna3": {"all_reduce": 8589934592},
    "nvlink-ampere": {"all_gather": 536870912, "all_reduce": 536870912, "all_to_all": 536870912,
        "reduce_scatter": 536870912},
    "nvlink-blackwell": {"all_gather": 536870912, "all_reduce": 17179869184, "all_to_all": 17179869184,
        "reduce_scatter": 536870912},
    "nvlink-hopper": {"all_gather": 536870912, "all_reduce": 17179869184, "all_to_all": 536870912,
        "reduce_scatter": 536870912},
    "nvlink-volta": {"all_gather": 2147483648, "all_reduce": 8589934592, "broadcast": 8589934592, "reduce":
        8589934592, "reduce_scatter": 8589934592},
    "pcie-peer": {"all_gather": 536870912, "all_reduce": 536870912, "all_to_all": 536870912,
        "reduce_scatter": 536870912},
    "pcie-staged": {"all_gather": 4294967296, "all_reduce": 4294967296, "broadcast": 4294967296, "reduce":
        4294967296, "reduce_scatter": 4294967296},
    "roce/ampere": {"all_reduce": 10737418240},
    "roce/blackwell": {"all_gather": 17179869184, "all_reduce": 17179869184, "all_to_all": 17179869184,
        "reduce_scatter": 17179869184},
    "roce/cdna3": {"all_reduce": 17179869184},
    "roce/cdna4": {"all_reduce": 17179869184, "all_to_all": 17179869184},
    "roce/hopper": {"all_gather": 8589934592, "all_reduce": 8589934592},
    "sglang-custom/nvlink-ampere": {"all_reduce": 1073741824},
    "sglang-custom/nvlink-blackwell": {"all_reduce": 1073741824},
    "sglang-custom/nvlink-hopper": {"all_reduce": 1073741824},
    "sglang-custom/pcie-peer": {"all_reduce": 1073741824},
    "slingshot/ampere": {"all_gather": 1073741824, "all_reduce": 1073741824, "all_to_all": 1073741824},
    "slingshot/hopper": {"all_reduce": 4294967296},
    "tcpx-100/hopper": {"all_gather": 536870912},
    "tcpxo-200/hopper": {"all_gather": 8589934592, "all_reduce": 8589934592},
    "trtllm-auto/nvlink-ampere": {"all_reduce": 1073741824},
    "trtllm-auto/nvlink-blackwell": {"all_reduce": 1073741824},
    "trtllm-auto/nvlink-hopper": {"all_reduce": 1073741824},
    "trtllm-auto/pcie-peer": {"all_reduce": 1073741824},
    "vllm-custom/nvlink-ampere": {"all_reduce": 1073741824},
    "vllm-custom/nvlink-blackwell": {"all_reduce": 1073741824},
    "vllm-custom/nvlink-hopper": {"all_reduce": 1073741824},
    "vllm-custom/pcie-peer": {"all_reduce": 1073741824},
}
