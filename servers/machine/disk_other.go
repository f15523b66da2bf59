//go:build !linux

package machine

// FreeDisk returns false: the space is known only on Linux.
func FreeDisk(string) (int64, bool) { return 0, false }
