package servers

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// HalfWritten is the pattern of the names that files have while they are written. A process
// that is killed leaves such a file.
const HalfWritten = ".new-*"

// WriteWhole makes a file whole or not at all: others may read it meanwhile, or write the
// same. Its content is written piece by piece. What had the name before is replaced, and a
// link is never followed.
func WriteWhole(name string, content func(io.Writer) error) error {
	temporary, err := os.CreateTemp(filepath.Dir(name), HalfWritten)
	if err != nil {
		return err
	}
	to := bufio.NewWriterSize(temporary, 1<<16)
	err = errors.Join(content(to), to.Flush(), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), name)
	}
	if err != nil {
		os.Remove(temporary.Name())
	}
	return err
}

// Keep makes a file whole or not at all, and the folders above it.
func Keep(name string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return WriteWhole(name, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}
