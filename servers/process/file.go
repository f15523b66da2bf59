package process

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/skewsim/skewsim/servers"
)

// digests caches the digests of files. A server's executable has some 100 MB, and each release
// of a run asks for it.
var digests struct {
	sync.Mutex
	of map[servers.File]string
}

// FileOf returns the current state of a file, to be compared with the file that is executed.
func FileOf(path string) (servers.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return servers.File{}, err
	}
	defer f.Close()
	// Stat before reading, so that a change meanwhile is noticed later.
	info, err := f.Stat()
	if err != nil {
		return servers.File{}, err
	}
	file := seen(info)
	digest, err := digestOnce(file, f)
	file.Digest = digest
	return file, err
}

// digestOnce reads a file that was not read before, or has changed since.
func digestOnce(is servers.File, content io.Reader) (string, error) {
	digests.Lock()
	defer digests.Unlock()
	if digest, known := digests.of[is]; known {
		return digest, nil
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, content); err != nil {
		return "", err
	}
	if digests.of == nil {
		digests.of = map[servers.File]string{}
	}
	digests.of[is] = hex.EncodeToString(hash.Sum(nil))
	return digests.of[is], nil
}

// seen returns the properties of a file that are known without reading it.
func seen(info os.FileInfo) servers.File {
	device, inode := place(info)
	return servers.File{Device: device, Inode: inode, Size: info.Size(), Modified: info.ModTime().UnixNano()}
}

// unchanged compares a file with its earlier state. If it was only touched, or replaced by a
// copy, it is read again, and counts as unchanged.
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
