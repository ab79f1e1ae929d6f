"""The commands of the command line, one a file: options and printing; what they do lives in the package. Own design."""
