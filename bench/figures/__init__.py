"""The figures and tables of docs/rse.md, made again by one command: `make figures`."""
