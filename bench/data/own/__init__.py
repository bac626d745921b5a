"""A dataset in our own format from a folder of documents and a file of questions."""
