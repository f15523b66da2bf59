package snapshot

import (
	"context"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/server/v3/storage/mvcc"
	"go.etcd.io/etcd/server/v3/storage/schema"
	"google.golang.org/protobuf/proto"
)

// Values calls each with the newest value of every key under the selected prefixes, in the order
// of keys, and with the revision that wrote it. A deleted key has no value. The value is the
// callee's to keep. Values returns the first error of each as it is.
func (s *Snapshot) Values(ctx context.Context, each func(key string, value []byte, modRevision int64) error) error {
	if len(s.prefixes) == 0 {
		return errors.New("snapshot: Values before Select")
	}
	for _, prefix := range s.prefixes {
		if err := s.values(ctx, s.under(prefix+"/"), each); err != nil {
			return err
		}
	}
	return nil
}

// values reads some of the entries.
func (s *Snapshot) values(ctx context.Context, all []entry, each func(key string, value []byte, modRevision int64) error) error {
	return s.db.View(func(tx *bbolt.Tx) error {
		for _, e := range all {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			kv, err := e.read(tx)
			if err != nil {
				return fmt.Errorf("snapshot %s: %w", s.Path, err)
			}
			if err := each(e.key, kv.Value, kv.ModRevision); err != nil {
				return err
			}
		}
		return nil
	})
}

// read reads an entry's newest value.
func (e entry) read(tx *bbolt.Tx) (*mvccpb.KeyValue, error) {
	kv := &mvccpb.KeyValue{}
	err := guarded(func() error {
		at := mvcc.RevToBytes(e.revision, mvcc.NewRevBytes())
		if err := proto.Unmarshal(tx.Bucket(schema.Key.Name()).Get(at), kv); err != nil {
			return damaged("revision %d: %w", e.revision.Main, err)
		}
		if string(kv.Key) != e.key {
			return damaged("revision %d: it is of another key", e.revision.Main)
		}
		return nil
	})
	return kv, err
}
