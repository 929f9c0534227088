package clang

// Sanitizing returns the same tools, but programs that they compile and link are
// checked as they run: clang's undefined behaviour sanitizer traps, and its address
// sanitizer, which is linked in, ends them. The IR of Compile is that of the checked
// program; the address sanitizer's part is added when it is linked.
func (t *Toolchain) Sanitizing() *Toolchain {
	twin := *t
	twin.sanitizing = true
	return &twin
}

// sanitizeCompile are the front end's flags: functions are marked for the address
// sanitizer, and no pass runs.
var sanitizeCompile = []string{"-fsanitize=address,undefined", "-fsanitize-trap=undefined", "-Xclang", "-disable-llvm-passes"}

// sanitizeLink leaves the program unoptimised: an optimiser removes accesses that
// the sanitizer would refuse.
var sanitizeLink = []string{"-fsanitize=address", "-O0"}
