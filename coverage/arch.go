package coverage

import "runtime"

// arch is this machine's name in LLVM's libraries.
func arch() string {
	switch runtime.GOARCH {
	case "amd64":
		return "x86_64"
	case "arm64":
		return "aarch64"
	}
	return runtime.GOARCH
}
