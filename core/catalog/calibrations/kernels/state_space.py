"""Constants of gated delta nets, fitted on measured calls of three engines on H100 to GB300."""

from collections.abc import Mapping

from core.catalog.calibrations.kernels.shapes import Band, Generation, ScanKernel, StateSpaceKernel
from core.hardware import Architecture, MemoryKind

GATED_DELTA_NET: Mapping[Generation, StateSpaceKernel] = {
    (Architecture.HOPPER, MemoryKind.HBM): StateSpaceKernel(
        convolution_launch_s=2.8e-6,
        convolution_share=0.593,
        update_launch_s=1.67e-6,
        update_share=0.18,
        step_launch_s=3.58e-6,
        state_share=0.95,
        scans={
            "triton": ScanKernel(17.8e-6, 15.9e-6, 2.73e-6, 2.6e-9),
            "flashinfer": ScanKernel(7.37e-6, 3.17e-6, 2.89e-6, 6.11e-6),
        },
        band=Band(0.8, 1.3, 0.7, 1.6),
    ),
    (Architecture.BLACKWELL, MemoryKind.HBM): StateSpaceKernel(
        convolution_launch_s=3.01e-6,
        convolution_share=0.368,
        update_launch_s=1.95e-6,
        update_share=0.113,
        step_launch_s=3.8e-6,
        state_share=0.94,
        scans={
            "triton": ScanKernel(21.3e-6, 14.7e-6, 2.59e-6, 3.8e-9),
            "flashinfer": ScanKernel(14.9e-6, 2.5e-6, 2.25e-6, 12.9e-6),
        },
        band=Band(0.78, 1.25, 0.7, 1.6),
    ),
}
"""By generation; ``MEASURED_KERNELS`` in sources.py is the source, `python -m tests.bench.kernels_state_space` the fit."""
