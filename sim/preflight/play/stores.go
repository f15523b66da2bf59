package play

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/probe"
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

// server starts a server on which the preflight depends. If it ends by itself, the preflight ends: what nobody answered
// is no reading, and nothing can be compared with it.
func (s *session) server(ctx context.Context, c probe.Config) (*probe.Server, error) {
	server, err := probe.Start(ctx, c)
	if err == nil {
		s.watch(server.Process)
	}
	return server, err
}

// watch ends the preflight when a server ends by itself.
func (s *session) watch(p servers.Process) {
	go func() {
		<-p.Done()
		if err := p.Err(); err != nil {
			s.fail(err)
		}
	}()
}

// reason returns why a preflight ended: if a store or a server has failed, that is the reason, whatever failed because
// of it. After a full disk it says what to do.
func (s *session) reason(ctx context.Context, err error) error {
	var failed *etcd.FailedError
	var ended *servers.ExitError
	if cause := context.Cause(ctx); err != nil && (errors.As(cause, &failed) || errors.As(cause, &ended)) {
		err = cause
	}
	if fault.Has(err, fault.DiskFull) {
		return fmt.Errorf("%w: free space in %s, or name a directory on another disk with TMPDIR", err, filepath.Dir(s.scratch))
	}
	return err
}
