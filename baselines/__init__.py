"""What one would pick instead of RSE, and the two ends of the scale: chance and full knowledge."""

from baselines.oracle import Oracle
from baselines.random import Random
from baselines.topk import TopK

__all__ = ["Oracle", "Random", "TopK"]
