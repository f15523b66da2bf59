package etcd

import (
	"context"
	"errors"
	"fmt"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// Put stores a value under a key, as it is: what a server would have stored
// there, without a server.
func (s *Server) Put(ctx context.Context, key string, value []byte) error {
	if _, err := s.client.Put(ctx, key, string(value)); err != nil {
		return s.refused("put", key, err)
	}
	return nil
}

// At reads what a key held at a revision. Nothing is ever compacted here, so that every
// revision can be read; in an etcd that is shared another may do so, which is an error.
func (s *Server) At(ctx context.Context, key string, revision int64) ([]byte, error) {
	r, err := s.client.Get(ctx, key, clientv3.WithRev(revision))
	if err != nil {
		return nil, s.refused("get", key, err)
	}
	if len(r.Kvs) == 0 {
		return nil, fmt.Errorf("store: get %s: it held nothing at revision %d", key, revision)
	}
	return r.Kvs[0].Value, nil
}

// refused prefers, to what the client saw, why the store has ended.
func (s *Server) refused(what, key string, seen error) error {
	select {
	case <-s.Done():
		if err := s.Err(); err != nil {
			seen = err
		}
	default:
	}
	if errors.Is(seen, rpctypes.ErrCompacted) {
		return fmt.Errorf("store: %s %s: another has compacted the etcd meanwhile, as a kube-apiserver does every five minutes: %w; play a shorter scenario, or where nobody does", what, key, seen)
	}
	return fmt.Errorf("store: %s %s: %w", what, key, failed(seen))
}

// Remove removes a key. A key that is absent is not an error.
func (s *Server) Remove(ctx context.Context, key string) error {
	if _, err := s.client.Delete(ctx, key); err != nil {
		return s.refused("delete", key, err)
	}
	return nil
}
