"""1.1, 3.2.1 The ground: the hex lattice, boards and how they are joined, and lines of sight."""
