package play

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/fault"
)

// store starts an etcd on which the preflight depends. If it fails, as on a full disk, the preflight ends: whatever
// servers say from then on is a consequence, and no finding.
func (s *session) store(ctx context.Context, c etcd.Config) (*etcd.Server, error) {
	store, err := etcd.Start(ctx, c)
	if err != nil {
		return nil, err
	}
	go func() {
		<-store.Done()
		if err := store.Err(); err != nil {
			s.fail(err)
		}
	}()
	return store, nil
}

// reason returns why a preflight ended: if a store has failed, that is the reason, whatever failed because of it. After
// a full disk it says what to do.
func (s *session) reason(ctx context.Context, err error) error {
	var failed *etcd.FailedError
	if err != nil && errors.As(context.Cause(ctx), &failed) {
		err = failed
	}
	if fault.Has(err, fault.DiskFull) {
		return fmt.Errorf("%w: free space in %s, or name a directory on another disk with TMPDIR", err, filepath.Dir(s.scratch))
	}
	return err
}
