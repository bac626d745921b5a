"""The harness: data, chunking, retrieval, metrics, runs and reports around the strategies."""
