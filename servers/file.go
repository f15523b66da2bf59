package servers

import (
	"fmt"
	"io/fs"
	"os"
)

// File is an executable as it was found, before anything was asked of it. Nil is one that
// nobody else writes.
type File struct {
	path string
	was  fs.FileInfo
}

// FileAt looks at a file, of the path that it will be executed by.
func FileAt(path string) (*File, error) {
	was, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return &File{path, was}, nil
}

// Check tells whether the file is still the same: by device and inode, size, and when it
// was written. Errors: a *ReplacedError.
func (f *File) Check() error {
	if f == nil {
		return nil
	}
	is, err := os.Stat(f.path)
	if err != nil || !os.SameFile(f.was, is) || is.Size() != f.was.Size() || !is.ModTime().Equal(f.was.ModTime()) {
		return &ReplacedError{Path: f.path}
	}
	return nil
}

// ReplacedError tells that an executable is no longer the one whose digest was taken.
type ReplacedError struct{ Path string }

// Error names the file, and the way out.
func (e *ReplacedError) Error() string {
	return fmt.Sprintf("%s changed while it was played, so nobody knows which was: run it again", e.Path)
}
