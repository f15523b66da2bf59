package servers

import (
	"fmt"
	"os"
	"syscall"
)

// OpenRegular opens a regular file for reading. It refuses anything else, such as a pipe, which might
// never end: opening one does not wait for a writer.
func OpenRegular(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: not a regular file: copy its content into one, and name that", name)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
