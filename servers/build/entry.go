package build

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

const (
	// recordName is the file next to an executable that describes it.
	recordName = "build.json"
	// temporary is part of the names of unfinished entries.
	temporary = ".tmp-"
)

// read returns an entry as its record describes it, unverified.
func (c *Cache) read(key string) (Built, error) {
	text, err := os.ReadFile(filepath.Join(c.path(key), recordName))
	if err != nil {
		return Built{}, err
	}
	var b Built
	if err := json.Unmarshal(text, &b); err != nil {
		return Built{}, fmt.Errorf("%s is damaged: %w", recordName, err)
	}
	if b.Name != filepath.Base(b.Name) {
		return Built{}, fmt.Errorf("%s is damaged: name %q", recordName, b.Name)
	}
	b.Key, b.Path = key, filepath.Join(c.path(key), b.Name)
	return b, nil
}

// handOut returns an entry to use, and protects it from pruning.
func (c *Cache) handOut(key string) (Built, error) {
	if _, err := os.Stat(c.path(key)); err != nil {
		return Built{}, err // there is nothing to hold
	}
	c.hold(key)
	b, err := c.load(key)
	if err != nil {
		c.release(key)
	}
	return b, err
}

// load returns an entry whose executable matches its record. The error is fs.ErrNotExist if
// there is no such entry.
func (c *Cache) load(key string) (Built, error) {
	b, err := c.read(key)
	if err != nil {
		return Built{}, err
	}
	digest, size, err := digestOf(b.Path)
	if err != nil {
		return Built{}, fmt.Errorf("its executable cannot be read: %s", err)
	}
	if !executable(b.Path) {
		return Built{}, errors.New("its executable may not be executed")
	}
	if digest != b.Digest || size != b.Size {
		return Built{}, fmt.Errorf("its executable is damaged: %d bytes with digest %.12s, recorded were %d with %.12s",
			size, digest, b.Size, b.Digest)
	}
	return b, nil
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode().Perm()&0o100 != 0)
}

func digestOf(path string) (digest string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	hash := sha256.New()
	size, err = io.Copy(hash, f)
	return hex.EncodeToString(hash.Sum(nil)), size, err
}

// record writes the description of the executable in dir, and syncs both to the disk, so that
// after a power failure the entry is either complete or missing.
func record(dir string, b Built) (err error) {
	executable := filepath.Join(dir, b.Name)
	if err := os.Chmod(executable, 0o700); err != nil {
		return err
	}
	if b.Digest, b.Size, err = digestOf(executable); err != nil {
		return err
	}
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	name := filepath.Join(dir, recordName)
	if err := os.WriteFile(name, append(text, '\n'), 0o600); err != nil {
		return err
	}
	return fsync(executable, name, dir)
}

// publish renames the finished directory to its final name, and replaces a damaged entry.
func (c *Cache) publish(dir, key string) error {
	if err := os.RemoveAll(c.path(key)); err != nil {
		return err
	}
	if err := os.Rename(dir, c.path(key)); err != nil {
		return err
	}
	return fsync(c.path(""))
}

func fsync(paths ...string) error {
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		err = f.Sync()
		f.Close()
		if err != nil {
			return fmt.Errorf("sync: %w", err)
		}
	}
	return nil
}

// keyOf returns the key of the entry that a temporary directory was for.
func keyOf(name string) (key string, ok bool) {
	key, _, ok = strings.Cut(name, temporary)
	return key, ok
}
