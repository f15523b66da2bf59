package snapshot

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/skewsim/skewsim/servers/fault"
)

// DigestOf returns the SHA-256 of a file in hexadecimal digits. It is equal to
// Snapshot.Digest as long as the file is unchanged.
func DigestOf(ctx context.Context, path string) (string, error) {
	file, _, err := openSource(path)
	if err != nil {
		return "", fmt.Errorf("snapshot %s: %w", path, err)
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, reader{ctx, file}); err != nil {
		return "", fmt.Errorf("snapshot %s: %w", path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// reader ends with its context.
type reader struct {
	ctx context.Context
	io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.Reader.Read(p)
}

// openSource opens a regular file read-only. It never opens anything else: a FIFO would block.
func openSource(path string) (*os.File, os.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, withoutPath(err)
	}
	switch {
	case info.IsDir():
		return nil, nil, refuse("is a directory: name the file in it; in the data directory of etcd it is member/snap/db")
	case !info.Mode().IsRegular():
		return nil, nil, refuse("is not a regular file: save the snapshot to a file first, and name that")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, withoutPath(err)
	}
	return file, info, nil
}

// withoutPath leaves out the path, which the error has already.
func withoutPath(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)) {
		return refuse("%s: %w: name a file that this user can read", p.Op, p.Err)
	}
	return err
}

// fetch copies the source, unpacked, into scratch, and computes its digest.
func (s *Snapshot) fetch(ctx context.Context, scratch string, free room) error {
	source, before, err := openSource(s.Path)
	if err != nil {
		return err
	}
	defer source.Close()
	s.Size = before.Size()
	sum := sha256.New()
	raw := io.TeeReader(reader{ctx, source}, sum)
	content, err := s.unpack(raw, source)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(scratch, 0o700); err != nil {
		return err
	}
	if err := free.enough(scratch, s.needed(source)+s.beside/free.times); err != nil {
		return err
	}
	if err := s.write(content, scratch); err != nil {
		return s.unreadable(err)
	}
	if _, err := io.Copy(io.Discard, raw); err != nil {
		return err
	}
	s.Digest = hex.EncodeToString(sum.Sum(nil))
	after, err := source.Stat()
	if err != nil {
		return err
	}
	if after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		return refuse("the file changed while it was read, as the database of a running etcd does: %s", again)
	}
	return nil
}

// unpack returns the content of the source: unpacked if it is a gzip or zip file. It refuses what is
// not a database before anything is copied.
func (s *Snapshot) unpack(raw io.Reader, source io.ReaderAt) (io.Reader, error) {
	content := bufio.NewReaderSize(raw, headBytes)
	head, _ := content.Peek(len(zipMagic))
	switch {
	case bytes.Equal(head, zipMagic):
		unzipped, err := s.unzip(source)
		if err != nil {
			return nil, err
		}
		content = bufio.NewReaderSize(unzipped, headBytes)
	case bytes.HasPrefix(head, gzipMagic):
		unzipped, err := gzip.NewReader(content)
		if err != nil {
			return nil, refuse("gzip: %w: %s", err, again)
		}
		s.Compressed = true
		content = bufio.NewReaderSize(unzipped, headBytes)
	}
	head, err := content.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, s.unreadable(err)
	}
	return content, judge(head)
}

// zipMagic begins a zip file with a file in it.
var zipMagic = []byte("PK\x03\x04")

// unzip returns the content of the only file in a zip file, as k3s and RKE2 write one for each snapshot.
func (s *Snapshot) unzip(source io.ReaderAt) (io.Reader, error) {
	in, err := zip.NewReader(source, s.Size)
	if err != nil {
		return nil, refuse("zip: %w: %s", err, again)
	}
	var files []*zip.File
	for _, f := range in.File {
		if f.Mode().IsRegular() {
			files = append(files, f)
		}
	}
	if len(files) != 1 {
		return nil, refuse("the zip file has %d files: unpack it, and name the snapshot", len(files))
	}
	s.Compressed, s.unpacked = true, int64(files[0].UncompressedSize64)
	content, err := files[0].Open()
	if err != nil {
		return nil, refuse("zip: %w: %s", err, again)
	}
	return content, nil
}

// needed returns the length of the content: of a gzip file what its end says, which is the
// length modulo 4 GiB.
func (s *Snapshot) needed(source io.ReaderAt) int64 {
	if s.unpacked > 0 {
		return max(s.Size, s.unpacked)
	}
	var end [4]byte
	if !s.Compressed || s.Size < int64(len(end)) {
		return s.Size
	}
	if _, err := source.ReadAt(end[:], s.Size-int64(len(end))); err != nil {
		return s.Size
	}
	return max(s.Size, int64(binary.LittleEndian.Uint32(end[:])))
}

// room is how often the content is to fit on a disk, and what says how much is free.
type room struct {
	times int64
	free  func(dir string) (bytes int64, known bool)
}

// enough refuses to copy where the disk has no space for all of that.
func (r room) enough(dir string, needed int64) error {
	needed *= r.times
	available, known := r.free(dir)
	if !known || available >= needed {
		return nil
	}
	return fault.Failed(fault.DiskFull, fmt.Errorf("private copies need %s in %s, and %s are available: free space there, or name a directory on another disk with TMPDIR",
		inMiB(needed), dir, inMiB(available)))
}

func inMiB(bytes int64) string { return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20)) }

// write writes the content to a file that only this user can read: it has Secrets.
func (s *Snapshot) write(content io.Reader, scratch string) error {
	file, err := os.CreateTemp(scratch, "snapshot-*.db") // mode 0600
	if err != nil {
		return err
	}
	s.copy = file.Name()
	_, err = io.Copy(file, content)
	return cmp.Or(err, file.Close())
}

// unreadable explains an error from reading the content.
func (s *Snapshot) unreadable(err error) error {
	if s.Compressed && (errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || isFlateError(err)) {
		return refuse("the gzip file is truncated or damaged: %w: %s", err, again)
	}
	return fmt.Errorf("copy: %w", err)
}
