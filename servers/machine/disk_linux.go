package machine

import "syscall"

// FreeDisk returns how many bytes this process may still write to the file system of a
// directory. It returns false where that is unknown.
func FreeDisk(dir string) (int64, bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * s.Bsize, true
}
