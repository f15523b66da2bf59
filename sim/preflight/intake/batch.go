package intake

import (
	"context"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/servers/objects"
	"github.com/skewsim/skewsim/servers/seclusion"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/storage"
)

// Put stores values under their keys in the copy.
type Put func(ctx context.Context, keys []string, values [][]byte) error

// root is where the copy has its keys: the default of kube-apiserver.
const root = "/registry"

// batch collects values until there are enough for a few transactions.
type batch struct {
	put    Put
	keys   []string
	values [][]byte
	size   int
	taken  preflight.Source
}

// mostBytes is how much is collected.
const mostBytes = 8 << 20

// add adds a value that may stand in the copy.
func (b *batch) add(ctx context.Context, key string, value []byte) error {
	e := storage.Describe(value)
	kept, reason := seclusion.Alone(objects.Object{APIVersion: e.APIVersion}.Group(), e.Kind, value)
	if reason != "" {
		b.taken.Removed = append(b.taken.Removed, fmt.Sprintf("%s %s: %s", e.Kind, key[strings.LastIndex(key, "/")+1:], reason))
	}
	if kept == nil {
		return nil
	}
	b.taken.Objects++
	b.keys, b.values, b.size = append(b.keys, key), append(b.values, kept), b.size+len(kept)
	if b.size < mostBytes {
		return nil
	}
	return b.flush(ctx)
}

func (b *batch) flush(ctx context.Context) error {
	err := b.put(ctx, b.keys, b.values)
	b.keys, b.values, b.size = nil, nil, 0
	return err
}
