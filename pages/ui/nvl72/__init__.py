"""The page NVL72 capacity: inputs, answer in words, domain sizes, the edge of a domain, experts, pipeline stages."""
