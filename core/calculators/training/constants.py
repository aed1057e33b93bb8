"""
Constants of the compute model: few, of one kind each, the same for every GPU and framework.

Fitted together on published training tables (docs/MODEL-TRAINING.md), so that the one constant left
to a GPU, a format and a framework is the share of the peak that large matrix products reach.
"""

ATTENTION = 0.38
"""Attention's products against those of matrices, in BF16."""
EXPERT = 0.3
"""Products of routed experts against those of dense layers: smaller, and unevenly filled."""
HBM = 0.8
"""Share of the memory rate around and between the products."""
PASSES = 16.0
"""Times a layer's residual stream is read or written outside matrix products in one forward."""
INNER_PASSES = 1.0
"""The same for the hidden values of MLP and attention."""
OPERANDS = 0.5
"""Share of the memory time of a matrix product's operands that its arithmetic does not cover."""
TAIL_WAVES = 0.57
"""Waves over the multiprocessors that a matrix product loses: at its end half of one in the mean."""
ACCUMULATE_BYTES = 7.0
"""Moved for one parameter to add a gradient to those before: FP32 read and written, partly fused."""
SCORE_BYTES = 10.0
"""Moved for one attention score in a forward without flash attention: five passes in two bytes."""
VECTOR_UNITS = 16.0
"""Peak of the tensor cores over that of the vector units (312 over 19.5 TFLOP/s on A100)."""
LOGIT_BYTES = 12.0
"""Moved for one logit, forward and backward: the loss works in FP32."""
LAYER_START_S = 28e-6
"""Kernel starts and tails of one layer in one forward, whatever its size."""

BACKWARD_OVER_FORWARD = 2.0
FLASH_BACKWARD_OVER_FORWARD = 2.5
"""Flash attention computes the scores again in backward (Dao 2023)."""
OPTIMIZER_BYTES = 30.0
"""Moved by mixed-precision Adam for each parameter: gradient, master copy, two moments, the result."""
TP_OVERLAP = 0.46
"""Share of TP communication that current frameworks hide behind the products (userbuffers)."""
PP_OVERLAP = 1.0
"""Interleaved stages send while they compute the next piece."""
EP_OVERLAP = 0.0
"""Tokens on their way to experts: hidden only by schedules made for it."""
HIDDEN_COST = 0.075
"""Compute lost for each second of communication that hides behind it: shared SMs and memory."""
LAYER_JITTER = 0.046
"""Deviation of a layer's time from rank to rank, where every layer waits for the slowest (FSDP)."""
STEP_JITTER = 0.008
"""The same for a whole step, where the ranks wait for one another once."""
