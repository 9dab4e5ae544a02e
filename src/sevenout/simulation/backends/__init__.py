"""The engines that play an explored game: LLVM and NumPy, on the same random bits."""
