"""Results in the forms that other tools read: TREC, ragas, BEIR, long CSV."""
