package snapshot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"go.etcd.io/bbolt"
	"go.etcd.io/etcd/server/v3/storage/mvcc"
	"go.etcd.io/etcd/server/v3/storage/schema"
	"google.golang.org/protobuf/encoding/protowire"
)

// entry is a key that exists, with the revision of its newest value.
type entry struct {
	key      string
	revision mvcc.Revision
}

// guarded turns a panic of bbolt or mvcc, and a fault of the mapped file, into an error. It
// must not surround a caller's function.
func guarded(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			err = damaged("%v", cause)
		}
	}()
	return do()
}

// readIndex reads the names and revisions of all keys. The revisions are in the order in which
// etcd wrote them, so the last one of a key is its newest.
func (s *Snapshot) readIndex(ctx context.Context, tx *bbolt.Tx) error {
	newest := map[string]mvcc.Revision{}
	total := 0
	err := guarded(func() error {
		bucket := tx.Bucket(schema.Key.Name())
		if bucket == nil {
			return notOfEtcd(tx)
		}
		return bucket.ForEach(func(k, v []byte) error {
			if total++; total%1024 == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return s.readRevision(newest, k, v)
		})
	})
	if err != nil {
		return err
	}
	if len(newest) == 0 {
		return empty(total)
	}
	s.index = make([]entry, 0, len(newest))
	for key, revision := range newest {
		s.index = append(s.index, entry{key, revision})
	}
	slices.SortFunc(s.index, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	return nil
}

// readRevision adds one record of the bucket to the newest revisions.
func (s *Snapshot) readRevision(newest map[string]mvcc.Revision, k, v []byte) error {
	at := mvcc.BytesToRev(k) // panics if k is not a revision
	key, mod, err := keyOf(v)
	if err != nil {
		return damaged("revision %d: %w", at.Main, err)
	}
	s.Revision = max(s.Revision, at.Main)
	if mvcc.IsTombstone(k) {
		delete(newest, string(key))
		return nil
	}
	if mod != at.Main {
		return damaged("revision %d: its value says revision %d", at.Main, mod)
	}
	newest[string(key)] = at
	return nil
}

// keyOf returns two members of an encoded mvccpb.KeyValue without decoding or copying its
// value: there may be a gigabyte of them, and values of other prefixes may be credentials.
func keyOf(message []byte) (key []byte, mod int64, err error) {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return nil, 0, protowire.ParseError(n)
		}
		message = message[n:]
		m := protowire.ConsumeFieldValue(number, kind, message)
		if m < 0 {
			return nil, 0, protowire.ParseError(m)
		}
		switch {
		case number == 1 && kind == protowire.BytesType:
			key, _ = protowire.ConsumeBytes(message)
		case number == 3 && kind == protowire.VarintType:
			revision, _ := protowire.ConsumeVarint(message)
			mod = int64(revision)
		}
		message = message[m:]
	}
	if len(key) == 0 {
		return nil, 0, errors.New("it has no key")
	}
	return key, mod, nil
}

// notOfEtcd refuses a database without etcd's buckets, such as containerd's meta.db.
func notOfEtcd(tx *bbolt.Tx) error {
	var names []string
	err := tx.ForEach(func(name []byte, _ *bbolt.Bucket) error {
		names = append(names, clip(string(name)))
		return nil
	})
	if err != nil {
		return damaged("%w", err)
	}
	return refuse("it is a bbolt database of another program: it has no bucket \"key\", only %s: name a file of etcdctl snapshot save, or a copy of member/snap/db", listed(names))
}

// empty refuses a database without keys.
func empty(revisions int) error {
	why := "etcd has stored nothing with the v3 API"
	if revisions > 0 {
		why = fmt.Sprintf("its %d revisions have all been deleted since", revisions)
	}
	return refuse("it has no keys: %s. Either it is the snapshot of another etcd, such as a new one, or all was stored with the API of etcd v2, which Kubernetes no longer uses: take the snapshot from the etcd that --etcd-servers of kube-apiserver names", why)
}
