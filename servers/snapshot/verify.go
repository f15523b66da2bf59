package snapshot

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
)

const (
	// hashBytes is the length of the SHA-256 that etcdctl snapshot save appends.
	hashBytes = sha256.Size
	// sector divides the length of every bbolt database, so that a hash at the end shows.
	sector = 512
)

// verify compares the copy with its hash, removes the hash, and checks all pages.
func (s *Snapshot) verify(ctx context.Context) error {
	file, err := os.OpenFile(s.copy, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	switch size % sector {
	case hashBytes:
		size -= hashBytes
		if err := verifyHash(ctx, file, size); err != nil {
			return err
		}
		if err := file.Truncate(size); err != nil {
			return err
		}
	case 0:
		s.Unverified = "it has no hash at its end: it is a copy of member/snap/db, and not a file of etcdctl snapshot save. Its pages are consistent, but a changed value would not show, and writes that etcd had not yet moved from its log to the database are missing"
	default:
		return refuse("its length of %d bytes is neither that of a database nor that of one with a hash: it is truncated, or something is appended to it: %s", size, again)
	}
	return checkPages(ctx, file, size)
}

// verifyHash compares the SHA-256 of the first size bytes with the one that follows them.
func verifyHash(ctx context.Context, file io.ReaderAt, size int64) error {
	want := make([]byte, hashBytes)
	if _, err := file.ReadAt(want, size); err != nil {
		return fmt.Errorf("read the hash: %w", err)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, reader{ctx, io.NewSectionReader(file, 0, size)}); err != nil {
		return err
	}
	if !bytes.Equal(sum.Sum(nil), want) {
		return refuse("its content does not match the SHA-256 at its end: it is truncated or damaged: %s", again)
	}
	return nil
}
