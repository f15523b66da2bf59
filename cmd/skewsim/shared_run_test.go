package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
)

// lean is a small scenario of frobber, with what else its file says.
func lean(t *testing.T, dir, name, more string) string {
	t.Helper()
	require.NoError(t, writeLean(dir, name, more))
	return filepath.Join(dir, name+".yaml")
}

func writeLean(dir, name, more string) error {
	err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(fmt.Sprintf(`name: %s
about: A small one.
releases: {of: frobber, pair: frobber@1.0..1.1}
objects: {frobber: {treated: wide.yaml, bystander: plain.yaml}}
play:
- {create: frobber, client: new-typed, via: new}
- {touch: frobber, client: old-typed, via: [old, new], verb: [put, merge-patch], at: [new, rolled-back]}
expect:
- {check: nothing-lost, class: impact}
- {check: resurrection, class: impact}
%s`, name, more)), 0o600)
	for object, field := range map[string]string{"plain": "  height: 3\n", "wide": "  height: 3\n  width: 7\n", "refused": "  height: -1\n"} {
		body := "apiVersion: frobbing.example.com/v6\nkind: Frobber\nspec:\n  param: Super\n" + field
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, object+".yaml"), []byte(body), 0o600))
	}
	return err
}

// TestSharedRunOfOlderClients: one program runs the older clients of all scenarios.
func TestSharedRunOfOlderClients(t *testing.T) {
	dir := t.TempDir()
	all, err := prepareAll(t.Context(), (&App{}).Builds(), []string{lean(t, dir, "a", ""), lean(t, dir, "b", "")}, runFlags{Request: engine.Request{Timeout: time.Minute}})
	require.NoError(t, err)
	for _, e := range []struct {
		first, second string
		together      bool
	}{{"", "", true}, {"v1.34.4", "", true}, {"", "v1.34.4", true}, {"v1.34.4", "v1.34.4", true}, {"v1.34.4", "v1.35.4", false}} {
		all[0].Run.Plan.Clients, all[1].Run.Plan.Clients = e.first, e.second
		assert.Equal(t, e.together, len(campaign.Share(all[:2], false)) == 1, "%q and %q", e.first, e.second)
	}
}
