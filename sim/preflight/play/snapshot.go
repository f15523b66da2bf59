package play

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers/snapshot"
	"github.com/skewsim/skewsim/sim/preflight"
)

// Snapshot is an etcd snapshot as a source.
type Snapshot struct {
	*snapshot.Snapshot
	Keys *snapshot.Keys // nil: none
	// Release and Stated are the release that the objects come from, and who says so.
	Release, Stated string
}

// Fill puts every value of the snapshot into the copy. What was encrypted is encrypted there.
func (s Snapshot) Fill(ctx context.Context, c Copy) (Taken, error) {
	b := batch{put: c.Put, by: c.Programs, seal: c.Seal, taken: Taken{Source: preflight.Source{Kind: preflight.Snapshot, Digest: s.Digest, Release: s.Release, Stated: s.Stated}}}
	missing := map[string]int{}
	err := s.Values(ctx, func(key string, value []byte, _ int64) error {
		plain, lacks, err := s.Keys.Decrypt(ctx, key, value)
		wrong := (*snapshot.WrongKeyError)(nil)
		if err != nil && !errors.As(err, &wrong) {
			return err
		}
		u := Unread{}
		switch {
		case wrong != nil: // k3s gives every key one name
			u.Lacks = "the " + wrong.Key + " with another secret than the encryption configuration has, unless the value is damaged"
		case lacks != nil:
			u = Unread{Lacks: lacks.String(), Configured: s.Keys != nil && lacks.Provider != "kms"}
		}
		if u.Lacks != "" {
			u.Group, u.Resource, u.Namespace, u.Name = snapshot.ParseKey(s.prefixOf(key), key)
			b.taken.Unread = append(b.taken.Unread, u)
			missing[fmt.Sprintf("%s: encrypted with %s", u.Resource, u.Lacks)]++
			return nil
		}
		b.sealed = ""
		if !bytes.Equal(plain, value) {
			group, resource, _, _ := snapshot.ParseKey(s.prefixOf(key), key)
			b.sealed = strings.TrimSuffix(resource+"."+group, ".")
		}
		return b.add(ctx, root+strings.TrimPrefix(key, s.prefixOf(key)), bytes.Clone(plain))
	})
	if err == nil {
		err = b.flush(ctx)
	}
	for text, n := range missing {
		b.taken.Skipped = append(b.taken.Skipped, fmt.Sprintf("%s: %d not judged", text, n))
	}
	slices.Sort(b.taken.Skipped)
	if s.Unverified != "" {
		b.taken.Skipped = append(b.taken.Skipped, "the hash of the file was not verified: "+s.Unverified)
	}
	return b.taken, err
}

// prefixOf returns the prefix that a key has.
func (s Snapshot) prefixOf(key string) string {
	for _, p := range s.Prefixes() {
		if strings.HasPrefix(key, p+"/") {
			return p
		}
	}
	return ""
}
