"""The engine's reference experiment: every form of RSE at equal mean tokens, cross-fitted."""
