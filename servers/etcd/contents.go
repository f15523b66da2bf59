package etcd

import (
	"context"

	"go.etcd.io/etcd/api/v3/mvccpb"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// Contents is everything that a store holds, for whoever fills or reads it at once.
type Contents struct{ of *Server }

// ContentsOf returns what a store holds.
func ContentsOf(s *Server) Contents { return Contents{s} }

// PutAll stores several values, in one transaction each as many as a request may have.
func (c Contents) PutAll(ctx context.Context, keys []string, values [][]byte) error {
	const most, maxBytes = 100, 1 << 20 // etcd takes 128 operations and 1.5 MiB
	for len(keys) > 0 {
		var all []clientv3.Op
		stored := map[string]bool{} // a transaction stores a key once
		for size := 0; len(all) < min(most, len(keys)) && (len(all) == 0 || size+len(values[len(all)]) <= maxBytes) && !stored[keys[len(all)]]; {
			size += len(values[len(all)])
			stored[keys[len(all)]] = true
			all = append(all, clientv3.OpPut(keys[len(all)], string(values[len(all)])))
		}
		if _, err := c.of.client.Txn(ctx).Then(all...).Commit(); err != nil {
			return c.of.refused("put", keys[0], err)
		}
		keys, values = keys[len(all):], values[len(all):]
	}
	return nil
}

// Each calls each with every value below a prefix, in the order of keys. The values are those of one revision, which it
// returns. The store sends as many at once as a request may have bytes, however large each is.
func (c Contents) Each(ctx context.Context, prefix string, each func(key string, value []byte, modRevision int64) error) (revision int64, err error) {
	return c.each(ctx, prefix, func(kv *mvccpb.KeyValue) error { return each(string(kv.Key), kv.Value, kv.ModRevision) })
}

// EachWritten is Each with the revisions at which each value was created and last written.
func (c Contents) EachWritten(ctx context.Context, prefix string, each func(key string, value []byte, created, written int64) error) error {
	_, err := c.each(ctx, prefix, func(kv *mvccpb.KeyValue) error {
		return each(string(kv.Key), kv.Value, kv.CreateRevision, kv.ModRevision)
	})
	return err
}

func (c Contents) each(ctx context.Context, prefix string, each func(*mvccpb.KeyValue) error) (revision int64, err error) {
	ctx, cancel := context.WithCancel(ctx)
	values, err := c.of.client.GetStream(ctx, prefix, clientv3.WithRange(clientv3.GetPrefixRangeEnd(prefix)))
	if err != nil {
		cancel()
		return 0, c.of.refused("read", prefix, err)
	}
	defer func() {
		cancel()
		for range values { // else who sends them waits for ever
		}
	}()
	for part := range values {
		if err := part.Err(); err != nil {
			return revision, c.of.refused("read", prefix, err)
		}
		for _, kv := range part.Kvs {
			if err := each(kv); err != nil {
				return revision, err
			}
		}
		if part.Header != nil { // of the last part alone
			revision = part.Header.Revision
		}
	}
	return revision, nil
}

// Has reports whether a value is stored under a key.
func (c Contents) Has(ctx context.Context, key string) (bool, error) {
	r, err := c.of.client.Get(ctx, key, clientv3.WithCountOnly())
	if err != nil {
		return false, c.of.refused("read", key, err)
	}
	return r.Count > 0, nil
}

// Revision returns the newest revision.
func (c Contents) Revision(ctx context.Context) (int64, error) {
	revision, err := c.of.backend.revision(ctx, c.of.client)
	if err != nil {
		return 0, c.of.refused("read", "the revision", err)
	}
	return revision, nil
}
