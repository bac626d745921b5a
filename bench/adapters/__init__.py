"""Judges that other projects made, each behind one module that imports it late."""
