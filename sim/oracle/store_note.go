package oracle

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// storeNote names the etcd that the servers shared, where that is not skewsim's own.
func storeNote(s *term.Store) []string {
	if s == nil || s.Kind == term.StoreEmbedded {
		return nil
	}
	version := cmp.Or(s.Version, "of a version that it did not tell")
	if s.Kind == term.StoreImage {
		return []string{fmt.Sprintf("the store was etcd %s of %s (%s)", version, s.Reference, cmp.Or(s.Digest, "not found"))}
	}
	return []string{fmt.Sprintf("the store was an etcd that was there already: %s, at %s", version, strings.Join(s.Endpoints, ", "))}
}
