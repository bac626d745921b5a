"""How fast texts become vectors, and how far quicker forms are from the exact one."""
