"""Disputes about parts: memory, peaks, links, chips."""

from core.catalog.disputes.dispute import Dispute, reading

_ML_A, _ML_N = "ml-accelerator", "ml-network"

PART_DISPUTES = (
    Dispute(
        "b200-memory",
        "Memory of a B200",
        (
            reading(192, "GB", "briefing-000", "physical"),
            reading(186, "GB", "mlcommons-gb200", "as sold in the GB200 NVL72: 13.4 TB a rack"),
            reading(180, "GB", "dgx-b200-guide", "usable: 1,440 GB for eight"),
        ),
        "180 GB for the B200 of HGX and DGX, 186 GB for the GB200",
        "A fit must hold in the memory that a program gets; physical capacity is an input of the capacity page.",
        ("b200-sxm", "gb200", "gb200-nvl72"),
    ),
    Dispute(
        "b200-memory-rate",
        "Memory bandwidth of a B200",
        (reading(8.0, "TB/s", _ML_A), reading(7.7, "TB/s", "verda-gb300")),
        "8.0 TB/s",
        "The vendor's figure; 14.4 TB/s in the DGX B200 guide is the NVLink aggregate of eight, not memory.",
        ("b200-sxm", "b300-sxm", "gb200", "gb300"),
    ),
    Dispute(
        "b300-memory",
        "Usable memory of a Blackwell Ultra",
        (
            reading(288, "GB", _ML_A, "physical"),
            reading(279, "GB", "verda-gb300", "usable in a GB300"),
            reading(270, "GB", "verda-gb300", "usable in a B300"),
        ),
        "288 GB, with the usable share as an input",
        "Only one source gives usable figures; 20 TB a rack is 72 x 279.",
        ("b300-sxm", "gb300"),
    ),
    Dispute(
        "b300-fp4",
        "Dense FP4 of a B300",
        (
            reading(12.6, "PFLOP/s", _ML_A),
            reading(13.125, "PFLOP/s", "klockwood-b300"),
            reading(13.5, "PFLOP/s", "vendor-datasheet"),
            reading(14, "PFLOP/s", "verda-gb300"),
            reading(15, "PFLOP/s", _ML_A, "NVFP4"),
        ),
        "13.5 PFLOP/s, low confidence",
        "No two sources agree; the middle one is used and labelled.",
        ("b300-sxm",),
    ),
    Dispute(
        "rtx-6000d-memory-rate",
        "Memory bandwidth of an RTX 6000D",
        (
            reading(
                1568,
                "GB/s",
                "takechance-6000d",
                "a seventh less than the RTX PRO 6000, as its 448 of 512 bit",
            ),
            reading(
                1398, "GB/s", "recall", "reports before it shipped, just below the export limit of 1.4 TB/s"
            ),
        ),
        "1,568 GB/s, unverified",
        "The width of the bus was seen on a board taken apart; nobody printed its memory clock.",
        ("rtx-6000d",),
    ),
    Dispute(
        "rubin-memory-rate",
        "Memory bandwidth of Rubin",
        (
            reading(22, "TB/s", _ML_A, "announced in 2026"),
            reading(13, "TB/s", "futuretechstocks-rubin", "roadmap of 2025"),
        ),
        "22 TB/s for 288 GB",
        "The later announcement replaces the roadmap; the part does not ship yet.",
        ("rubin", "vera-rubin-nvl72"),
    ),
    Dispute(
        "nvlink6-links",
        "Links of a GPU with NVLink 6",
        (
            reading(36, "links of 100 GB/s bidirectional", _ML_N),
            reading(18, "links of 200 GB/s bidirectional", "nvlink-lol"),
        ),
        "3.6 TB/s bidirectional, printed with 36 links",
        "The total is not disputed and no result depends on the count.",
        ("nvlink6", "rubin"),
    ),
    Dispute(
        "nvl144-name",
        "GPUs of a Vera Rubin rack",
        (
            reading(144, "dies", "wheelersnetwork", "first name: NVL144"),
            reading(72, "packages", "nvlink-lol", "later name: NVL72"),
        ),
        "72 packages",
        "A rank is a package: counting dies changes the name, not the rack.",
        ("vera-rubin-nvl72", "rubin", "rubin-ultra", "b300-sxm"),
    ),
    Dispute(
        "grace-blackwell-pcie",
        "PCIe generation of GB200 and B300",
        (
            reading(6, "generation", _ML_A),
            reading(5, "generation", _ML_N, "hosts and NICs of GB200 and B300"),
        ),
        "Gen6 for the GPU; GB200 and GB300 reach their host over C2C",
        "The tables disagree; only copies over the slot would change.",
        ("gb200", "b300-sxm", "gb300", "dgx-b300", "pcie6-x16"),
    ),
    Dispute(
        "gh200-memory",
        "Memory of a GH200",
        (
            reading(96, "GB", _ML_A, "HBM3 at 4.0 TB/s"),
            reading(141, "GB", _ML_A, "HBM3e at 4.8 TB/s, usable"),
            reading(144, "GB", _ML_A, "HBM3e at 4.9 TB/s, physical"),
        ),
        "96 GB at 4.0 TB/s",
        "Two products share the name; the measured machines hold the first.",
        ("gh200", "dgx-gh200-256"),
    ),
    Dispute(
        "gaudi3-peak",
        "Peak of Gaudi 3",
        (
            reading(1835, "TFLOP/s", _ML_A, "whitepaper"),
            reading(1677, "TFLOP/s", _ML_A, "at the shipped clock"),
        ),
        "1,677 TFLOP/s",
        "What ships counts.",
        ("gaudi3",),
    ),
    Dispute(
        "gaudi-scale-up",
        "Scale-up bandwidth of Gaudi",
        (
            reading(525, "GB/s unidirectional", _ML_N, "Gaudi 3, 21 of 24 ports"),
            reading(600, "GB/s unidirectional", _ML_N, "Gaudi 3, all 24 ports"),
            reading(262.5, "GB/s unidirectional", _ML_N, "Gaudi 2, 21 of 24 ports"),
            reading(300, "GB/s unidirectional", _ML_N, "Gaudi 2, all 24 ports"),
        ),
        "21 ports: 525 and 262.5 GB/s",
        "Three ports leave the node.",
        ("gaudi3", "gaudi2"),
    ),
    Dispute(
        "rtx-3090-nvlink",
        "NVLink of an RTX 3090",
        (
            reading(112.5, "GB/s bidirectional", "ga102-whitepaper"),
            reading(600, "GB/s bidirectional", "recall", "some blogs"),
        ),
        "112.5 GB/s bidirectional",
        "Four links of 14.0625 GB/s per direction; 600 is the A100.",
        ("rtx-3090", "rtx-a6000", "nvlink3-ga102"),
    ),
    Dispute(
        "nvlink5-per-link",
        "NVLink 5 per link",
        (
            reading(900, "GB/s bidirectional", "bcm-nvlinkinfo", "official manual"),
            reading(100, "GB/s bidirectional", _ML_N),
        ),
        "100 GB/s bidirectional per link, 1,800 a GPU",
        "18 links make 1,800; the manual's figure is that of a GPU in one direction.",
        ("nvlink5",),
    ),
    Dispute(
        "nvlink3-signalling",
        "Signalling rate of NVLink 3",
        (reading(25, "Gb/s a lane", "briefing-000"), reading(50, "Gb/s a lane", "nvlink-encyclopedia")),
        "50 Gb/s a lane",
        "4 lanes x 50 / 8 x 2 makes the 50 GB/s a link that everyone states; 25 would make half.",
        ("nvlink3",),
    ),
    Dispute(
        "blackwell-switch-ports",
        "Ports of the Blackwell switch chip",
        (
            reading(64, "ports", "briefing-000"),
            reading(72, "ports", "nvlink-switch-page", "144 a tray of two chips"),
        ),
        "72 ports",
        "72 GPUs x 18 links = 1,296 ports = 18 chips x 72.",
        ("nvswitch4", "gb200-nvl72"),
    ),
    Dispute(
        "switch-generation-name",
        "Name of the Blackwell switch chip",
        (
            reading("NVSwitch 4.0", "name", "briefing-000"),
            reading("5th generation NVSwitch", "name", "briefing-001"),
            reading("5th generation NVLink switch", "name", "dgx-b200-guide"),
        ),
        "NVLink 5 Switch chip, the fourth NVSwitch",
        "Both count something real: the fifth NVLink, the fourth switch.",
        ("nvswitch4",),
    ),
    Dispute(
        "domain-size",
        "Largest scale-up domain",
        (
            reading(8, "GPUs, Hopper", "briefing-000", "a node"),
            reading(256, "GPUs, Hopper", "briefing-003", "DGX GH200, NVLink Switch System"),
            reading(72, "GPUs, Blackwell", "briefing-002", "what ships"),
            reading(576, "GPUs, Blackwell", "bcm-nvlinkinfo", "architectural"),
        ),
        "All four, as systems of their own",
        "They are different machines; the 576 was never shipped and says so.",
        ("dgx-h100", "dgx-gh200-256", "gb200-nvl72", "nvlink5-576"),
    ),
    Dispute(
        "v100-domain",
        "V100 behind NVSwitch",
        (reading("none", "GPUs", "briefing-000"), reading(16, "GPUs", "anandtech-nvswitch", "DGX-2")),
        "16, the DGX-2",
        "The DGX-2 is the machine NVSwitch was made for.",
        ("dgx-2", "nvswitch1"),
    ),
    Dispute(
        "gh200-taper",
        "Bandwidth across a DGX GH200",
        (
            reading(
                1, "taper", "nvidia-hopper", "57.6 TB/s = 128 x 450 GB/s, unidirectional over the bisection"
            ),
            reading(2, "taper", "nvidia-hopper", "57.6 TB/s = 256 x 225 GB/s, half of each GPU"),
        ),
        "1, and an input",
        "One printed figure has two readings and nothing decides between them.",
        ("dgx-gh200-256",),
    ),
    Dispute(
        "mi250x-scale-up",
        "Infinity Fabric of an MI250X",
        (
            reading(700, "GB/s bidirectional", _ML_N, "7 links"),
            reading(800, "GB/s bidirectional", _ML_A, "8 links, as AMD quotes at most"),
        ),
        "700 GB/s bidirectional",
        "The eighth link is not for peers in an eight-GPU node.",
        ("mi250x",),
    ),
    Dispute(
        "gpt4-size",
        "Size of the rumoured GPT-4-class model",
        (
            reading(1831, "billion", "gpt4-leak", "16 x 111 + 55, 277 active"),
            reading(1760, "billion", "gpt4-leak", "8 x 220"),
        ),
        "1,800 billion with 280 active, a rumour",
        "Never confirmed: shown only on request.",
        ("gpt-4-class-1.8t-moe",),
    ),
    Dispute(
        "llama-2-vocabulary",
        "Vocabulary of Llama 2 70B",
        (
            reading(128256, "tokens", "llama-sku-list"),
            reading(32000, "tokens", "recall", "the published configuration"),
        ),
        "32,000",
        "The list repeats Llama 3's value for Llama 2; 68.98 billion parameters need 32,000.",
        ("llama-2-70b",),
    ),
)
