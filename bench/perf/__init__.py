"""How fast selection is: `make perf` measures dsRAG's functions and ours side by side."""
