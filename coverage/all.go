package coverage

// All lists the tools, each in a file of its own.
func All() []Tool { return []Tool{gcov, llvmCov} }
