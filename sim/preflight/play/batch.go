package play

import (
	"context"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/servers/cluster"
	"github.com/skewsim/skewsim/servers/seclusion"
	"github.com/skewsim/skewsim/servers/snapshot"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/storage"
)

// Put stores values under their keys in the copy.
type Put func(ctx context.Context, keys []string, values [][]byte) error

// Copy is the store that a source fills.
type Copy struct {
	// Release is the one that the objects come from.
	Release published.Release
	Put     Put
	Seal    *snapshot.Seal
	// Programs convert objects of the copy, in place of the webhooks that definitions name.
	Programs []seclusion.Program
	// Start starts a server of the release on an empty store of its own.
	Start func(ctx context.Context) (Server, error)
}

// Server is a server that creates objects.
type Server struct {
	Conn *client.Connection
	// Stored calls each with every stored value, and with the revisions at which it was created and
	// last written.
	Stored func(ctx context.Context, each func(key string, value []byte, created, written int64) error) error
	Close  func() error
}

// Taken is what a source gave.
type Taken struct {
	preflight.Source
	// Beside are values that the copy needs and the source does not have, by key: they are not the
	// user's.
	Beside map[string][]byte
	// Webhooks are the configurations of admission webhooks, which stay out of the copy.
	Webhooks []Webhooks
	// ConvertedKinds are the kinds that a program converts, each as group and kind.
	ConvertedKinds map[string]bool
	// Unread are the objects that nobody can read without keys.
	Unread []Unread
}

// Unread is a stored value that is encrypted with a key that is not known.
type Unread struct {
	Group, Resource, Namespace, Name string
	// Lacks is the provider and the key. Configured reports that the encryption configuration was
	// given, and so servers that use it read the value no more.
	Lacks      string
	Configured bool
}

// root is where the copy has its keys: the default of kube-apiserver.
const root = "/registry"

// batch collects values until there are enough for a few transactions.
type batch struct {
	put    Put
	keys   []string
	values [][]byte
	size   int
	taken  Taken
	seal   *snapshot.Seal
	by     []seclusion.Program
	sealed string // the resource of the value that is added next, if it is to be encrypted
}

// maxBytes is how much is collected.
const maxBytes = 8 << 20

// add adds a value that may stand in the copy.
func (b *batch) add(ctx context.Context, key string, value []byte) error {
	e := storage.Describe(value)
	kept, changed := b.alone(cluster.Object{APIVersion: e.APIVersion, Kind: e.Kind, Name: key[strings.LastIndex(key, "/")+1:], Body: value})
	if kept == nil && changed { // else the value itself is empty
		return nil
	}
	return b.keep(ctx, key, kept)
}

// alone returns what may stand in the copy of an object, nil for nothing, and whether that is another
// value, which it notes. A definition whose webhook is a program stays what it is to clients.
func (b *batch) alone(o cluster.Object) (kept []byte, changed bool) {
	t := &b.taken
	kept, reason := seclusion.Alone(o.Group(), o.Kind, o.Body, b.by...)
	if reason == seclusion.Replaced {
		t.convert(o)
		return kept, false
	}
	if reason != "" {
		t.Removed = append(t.Removed, fmt.Sprintf("%s %s: %s", o.Kind, o.Name, reason))
	}
	if w := WebhooksOf(o.Body); kept == nil && len(w.all) > 0 {
		t.Webhooks = append(t.Webhooks, w)
	}
	return kept, reason != ""
}

// convert notes the kind of a definition that a program converts.
func (t *Taken) convert(definition cluster.Object) {
	t.Source.Converted = append(t.Source.Converted, definition.Kind+" "+definition.Name)
	for name := range defined(definition) {
		if t.ConvertedKinds == nil {
			t.ConvertedKinds = map[string]bool{}
		}
		t.ConvertedKinds[name] = true
	}
}

// keep adds a value of the user.
func (b *batch) keep(ctx context.Context, key string, kept []byte) error {
	b.taken.Objects++
	if b.sealed != "" {
		var err error
		if kept, err = b.seal.Encrypt(ctx, b.sealed, key, kept); err != nil {
			return err
		}
	}
	b.keys, b.values, b.size = append(b.keys, key), append(b.values, kept), b.size+len(kept)
	if b.size < maxBytes {
		return nil
	}
	return b.flush(ctx)
}

func (b *batch) flush(ctx context.Context) error {
	err := b.put(ctx, b.keys, b.values)
	b.keys, b.values, b.size = nil, nil, 0
	return err
}
