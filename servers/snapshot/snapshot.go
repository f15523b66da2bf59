package snapshot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"go.etcd.io/bbolt"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/machine"
)

// Snapshot is a verified private copy of an etcd database. Its methods may be called
// concurrently, except Select and Close.
type Snapshot struct {
	// Path is the source, and Size is its length in bytes.
	Path string
	Size int64
	// Digest is the SHA-256 of the source in hexadecimal digits, as sha256sum prints it.
	Digest string
	// Compressed reports whether the source is a gzip or zip file.
	Compressed bool
	// Unverified says why the content could not be verified by a hash; "" if it was verified.
	Unverified string
	// Revision is the newest revision in the file.
	Revision int64

	beside   int64  // the space that is needed beside the copies
	unpacked int64  // the length of what a zip file has; 0: it is none
	copy     string // path of the private copy
	db       *bbolt.DB
	index    []entry  // sorted by key
	prefixes []string // see Select
}

// Open copies the file at path into the directory scratch, verifies the copy and indexes it.
// It creates scratch if it does not exist. The caller must call Close.
func Open(ctx context.Context, path, scratch string) (*Snapshot, error) {
	return open(ctx, path, scratch, room{1, machine.FreeDisk})
}

// OpenTimes is Open for a caller who needs so many times the space of the copy on the disk of scratch:
// without that space, and that of the log that an etcd begins with, nothing is copied.
func OpenTimes(ctx context.Context, path, scratch string, times int64) (*Snapshot, error) {
	const log = 64 << 20
	return (&Snapshot{Path: path, beside: log}).open(ctx, scratch, room{times, machine.FreeDisk})
}

func open(ctx context.Context, path, scratch string, free room) (*Snapshot, error) {
	return (&Snapshot{Path: path}).open(ctx, scratch, free)
}

func (s *Snapshot) open(ctx context.Context, scratch string, free room) (_ *Snapshot, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("snapshot %s: %w", s.Path, err), s.Close())
		}
	}()
	if err := s.fetch(ctx, scratch, free); err != nil {
		return nil, err
	}
	if err := s.verify(ctx); err != nil {
		return nil, err
	}
	if err := s.load(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// load opens the verified copy and indexes it.
func (s *Snapshot) load(ctx context.Context) error {
	err := guarded(func() (err error) {
		s.db, err = bbolt.Open(s.copy, 0o400, &bbolt.Options{ReadOnly: true, Timeout: 10 * time.Second})
		return err
	})
	if err != nil {
		return fmt.Errorf("open the copy: %w", err)
	}
	return s.db.View(func(tx *bbolt.Tx) error { return s.readIndex(ctx, tx) })
}

// Len returns the number of keys that exist, under whichever prefix.
func (s *Snapshot) Len() int { return len(s.index) }

// Close removes the private copy.
func (s *Snapshot) Close() error {
	var err error
	if s.db != nil {
		err = s.db.Close()
	}
	if s.copy != "" {
		err = errors.Join(err, os.Remove(s.copy))
	}
	s.db, s.copy, s.index = nil, "", nil
	return err
}

// again is the way out for a file that is damaged.
const again = "take a new one with etcdctl snapshot save, or use another copy"

// refuse returns an error that the user has to correct.
func refuse(format string, args ...any) error {
	return fault.ByUser(fmt.Errorf(format, args...))
}

// damaged returns the error for content that cannot be read.
func damaged(format string, args ...any) error {
	return refuse("the database is damaged: %w: %s", fmt.Errorf(format, args...), again)
}
