"""Speed against an anchor measured in the same run, printed as ratios; never a test with a threshold. Own design."""
