package clang

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// SanitizerPackage has clang's sanitizers, which Debian keeps apart from clang.
const SanitizerPackage = "libclang-rt-14-dev"

// CheckSanitizer says whether programs can be linked with the address sanitizer. It
// wraps ErrMissing when they cannot, and, unless the system refused, no Error: that a program of the user's cannot
// be linked is another thing. Files are written to folder.
func (t *Toolchain) CheckSanitizer(ctx context.Context, folder string) error {
	source, out := filepath.Join(folder, "sanitizer-check.c"), filepath.Join(folder, "sanitizer-check")
	if err := os.WriteFile(source, []byte("int main(void) { return 0; }\n"), 0o600); err != nil {
		return fmt.Errorf("looking for the address sanitizer: %w", err)
	}
	defer os.Remove(source)
	if err := t.Sanitizing().Link(ctx, out, []string{source}, nil); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if exit.Of(err) == exit.System { // the disk is full, which says nothing of the sanitizer
			return err
		}
		return exit.New(exit.Tool, fmt.Errorf("%w: clang-%s cannot link its address sanitizer", ErrMissing, Version),
			"on Debian or Ubuntu: sudo apt-get install "+SanitizerPackage)
	}
	return os.Remove(out)
}

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
// sanitizer.
var sanitizeCompile = []string{"-fsanitize=address,undefined", "-fsanitize-trap=undefined"}

// sanitizeLink leaves the program unoptimised: an optimiser removes accesses that
// the sanitizer would refuse.
var sanitizeLink = []string{"-fsanitize=address", "-O0"}
