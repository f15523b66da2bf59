//go:build !linux

package machine

// Used returns false: usage is measured only on Linux.
func Used() (Usage, bool) { return Usage{}, false }
