package oracle

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// storeNote names the etcd that the servers shared, if it is not skewsim's own.
func storeNote(s *term.Store) []string {
	if s == nil || s.Kind == term.StoreEmbedded {
		return nil
	}
	version := cmp.Or(s.Version, "of an unknown version")
	if s.Kind == term.StoreImage {
		return []string{fmt.Sprintf("the store was etcd %s of %s (%s)", version, s.Reference, cmp.Or(s.Digest, "not found"))}
	}
	return []string{fmt.Sprintf("the store was an existing etcd: %s, at %s", version, strings.Join(s.Endpoints, ", "))}
}
