"""The page Fit your cluster: the cost model calibrated to the reader's own sweeps."""
