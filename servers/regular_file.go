package servers

import (
	"fmt"
	"io"
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

// ReadRegular returns the content of a regular file of at most limit bytes.
func ReadRegular(name string, limit int64) ([]byte, error) {
	f, err := OpenRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s: larger than %d KiB: name a smaller file", name, limit>>10)
	}
	return text, err
}
