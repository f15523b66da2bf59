//go:build unix

package process

import (
	"os"
	"syscall"
)

// place is where a file lies.
func place(info os.FileInfo) (device, inode uint64) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return uint64(stat.Dev), uint64(stat.Ino) //nolint:unconvert // other systems have other types
}
