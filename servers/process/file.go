package process

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/skewsim/skewsim/servers"
)

// FileOf is a file as it is, to be compared with what is there when it is executed.
func FileOf(path string) (servers.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return servers.File{}, err
	}
	defer f.Close()
	// Looked at before it is read: what is written meanwhile shows later.
	info, err := f.Stat()
	if err != nil {
		return servers.File{}, err
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return servers.File{}, err
	}
	file := seen(info)
	file.Digest = hex.EncodeToString(hash.Sum(nil))
	return file, nil
}

// seen is what can be told of a file without reading it.
func seen(info os.FileInfo) servers.File {
	device, inode := place(info)
	return servers.File{Device: device, Inode: inode, Size: info.Size(), Modified: info.ModTime().UnixNano()}
}

// unchanged compares what is at a path with what was there. One that was only touched, or
// replaced by a copy, is read again, and has not changed.
func unchanged(path string, was servers.File) error {
	if was == (servers.File{}) {
		return nil
	}
	if info, err := os.Stat(path); err == nil {
		is := seen(info)
		if is.Digest = was.Digest; is == was {
			return nil
		}
	}
	is, err := FileOf(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &servers.ChangedError{Path: path}
	case err != nil:
		return err
	case is.Digest != was.Digest:
		return &servers.ChangedError{Path: path}
	}
	return nil
}
