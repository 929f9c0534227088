//go:build !linux || !(amd64 || arm64)

package diskfault

// Main does nothing where the kernel has no such filter.
func Main() {}
