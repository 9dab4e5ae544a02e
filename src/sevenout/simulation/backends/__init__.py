"""The engines that play an explored game: LLVM, NumPy and CUDA, on the same random bits."""
