package etcd

import (
	"cmp"
	"context"
	"slices"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// Now reads what is stored: of each key that is wanted its last change, in the
// order of revisions, and the revision that this is the state of. A Watch from
// the one after it goes on from there.
func (s *Server) Now(ctx context.Context, wanted func(key string) bool) ([]Event, int64, error) {
	keys, err := s.client.Get(ctx, "\x00", clientv3.WithFromKey(), clientv3.WithKeysOnly())
	if err != nil {
		return nil, 0, s.refused("read", "what is stored", err)
	}
	revision := keys.Header.Revision
	var all []Event
	for _, kv := range keys.Kvs {
		if !wanted(string(kv.Key)) {
			continue
		}
		value, err := s.At(ctx, string(kv.Key), revision)
		if err != nil {
			return nil, 0, err
		}
		all = append(all, Event{
			Key: kv.Key, Value: value, CreateRevision: kv.CreateRevision, ModRevision: kv.ModRevision, Version: kv.Version,
		})
	}
	slices.SortFunc(all, func(a, b Event) int { return cmp.Compare(a.ModRevision, b.ModRevision) })
	return all, revision, nil
}
