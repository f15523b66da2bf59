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

// PutAll stores several values, in one transaction each as many as a request may have.
func (s *Server) PutAll(ctx context.Context, keys []string, values [][]byte) error {
	const most, mostBytes = 100, 1 << 20 // etcd takes 128 operations and 1.5 MiB
	for len(keys) > 0 {
		var all []clientv3.Op
		for size := 0; len(all) < min(most, len(keys)) && (len(all) == 0 || size+len(values[len(all)]) <= mostBytes); {
			size += len(values[len(all)])
			all = append(all, clientv3.OpPut(keys[len(all)], string(values[len(all)])))
		}
		if _, err := s.client.Txn(ctx).Then(all...).Commit(); err != nil {
			return s.refused("put", keys[0], err)
		}
		keys, values = keys[len(all):], values[len(all):]
	}
	return nil
}

// Each calls each with every value below a prefix, in the order of keys, a page at a time. The
// values are those of one revision, which it returns.
func (s *Server) Each(ctx context.Context, prefix string, each func(key string, value []byte, modRevision int64) error) (revision int64, err error) {
	const page = 500
	from, end := prefix, clientv3.GetPrefixRangeEnd(prefix)
	for {
		r, err := s.client.Get(ctx, from, clientv3.WithRange(end), clientv3.WithLimit(page), clientv3.WithRev(revision))
		if err != nil {
			return revision, s.refused("read", prefix, err)
		}
		if revision == 0 {
			revision = r.Header.Revision
		}
		if len(r.Kvs) == 0 {
			return revision, nil
		}
		for _, kv := range r.Kvs {
			if err := each(string(kv.Key), kv.Value, kv.ModRevision); err != nil {
				return revision, err
			}
		}
		if !r.More {
			return revision, nil
		}
		from = string(r.Kvs[len(r.Kvs)-1].Key) + "\x00"
	}
}

// Revision returns the newest revision.
func (s *Server) Revision(ctx context.Context) (int64, error) {
	r, err := s.client.Get(ctx, "\x00", clientv3.WithCountOnly())
	if err != nil {
		return 0, s.refused("read", "the revision", err)
	}
	return r.Header.Revision, nil
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
