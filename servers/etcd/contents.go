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

// Each calls each with every value below a prefix, in the order of keys, a page at a time. The
// values are those of one revision, which it returns.
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
	const page = 500
	from, end := prefix, clientv3.GetPrefixRangeEnd(prefix)
	for {
		r, err := c.of.client.Get(ctx, from, clientv3.WithRange(end), clientv3.WithLimit(page), clientv3.WithRev(revision))
		if err != nil {
			return revision, c.of.refused("read", prefix, err)
		}
		if revision == 0 {
			revision = r.Header.Revision
		}
		if len(r.Kvs) == 0 {
			return revision, nil
		}
		for _, kv := range r.Kvs {
			if err := each(kv); err != nil {
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
func (c Contents) Revision(ctx context.Context) (int64, error) {
	revision, err := c.of.backend.revision(ctx, c.of.client)
	if err != nil {
		return 0, c.of.refused("read", "the revision", err)
	}
	return revision, nil
}
