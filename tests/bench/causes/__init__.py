"""Machines with a known defect as logs: how often the verdict names it, with NCCL's lines, with half of them, without."""
