//go:build !linux

package main

import "runtime/debug"

// boundGarbage keeps the heap near what lives in it. A history is most of that and
// lives to the end: by default there may be as much garbage as there is history.
func boundGarbage() { debug.SetGCPercent(20) }
