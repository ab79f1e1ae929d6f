"""`python -m conflictbench` is the command line. Own design."""

from conflictbench.cli import main

if __name__ == "__main__":
    main()
