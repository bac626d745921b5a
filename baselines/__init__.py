"""What one would pick instead of RSE, and the two ends of the scale: chance and full knowledge."""

from baselines.document import Documents
from baselines.merge import Merge
from baselines.mmr import MMR
from baselines.oracle import Oracle
from baselines.parent import Parent
from baselines.random import Random
from baselines.topk import TopK
from baselines.window import Window

__all__ = ["MMR", "Documents", "Merge", "Oracle", "Parent", "Random", "TopK", "Window"]
