"""What the page Access shows."""
