//go:build !linux

package confine

import "errors"

// ErrUnavailable is wrapped where this kernel, or the container around it, lacks what
// was asked for.
var ErrUnavailable = errors.New("not available on this machine")
