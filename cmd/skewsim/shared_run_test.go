package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// grouped prepares scenarios and gives the names of those that go together.
func grouped(t *testing.T, isolate bool, names ...string) []string {
	t.Helper()
	all, err := prepareAll(t.Context(), (&App{}).Builds(), names, runFlags{Request: engine.Request{Timeout: time.Minute}})
	require.NoError(t, err)
	var groups []string
	for _, c := range campaign.Share(all, isolate) {
		groups = append(groups, strings.Join(slices.Sorted(slices.Values(c.Names())), " "))
	}
	slices.Sort(groups)
	return groups
}

// TestCompanies: those share a journey whose servers are the same, and nobody else.
func TestCompanies(t *testing.T) {
	dir := t.TempDir()
	a := lean(t, dir, "a", "")
	files := []string{a, lean(t, dir, "b", ""), lean(t, dir, "c", "replicas: 1\n"), lean(t, dir, "d", "journey: [upgrade, rollback]\n"),
		lean(t, dir, "e", "new: {flags: --v=2}\n"), lean(t, dir, "f", "new: {flags: --v=2}\n"), lean(t, dir, "g", "isolate: true\n")}
	assert.Equal(t, []string{"a b", "c", "d", "e f", "g"}, grouped(t, false, files...))
	assert.Equal(t, []string{"a", "b", "c", "d", "e", "f", "g"}, grouped(t, true, files...))
	assert.Equal(t, []string{"a", "add-field+meaning", "add-field+null", "train"}, grouped(t, false, a, "add-field+meaning", "add-field+null", "train"))
	assert.Equal(t, []string{"crd-added-field crd-storage-bump", "crd-forgotten", "crd-webhook"},
		grouped(t, false, "crd/crd-added-field", "crd/crd-storage-bump", "crd/crd-forgotten", "crd/crd-webhook"), "of the same manifests")
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

// TestSharedRunOfOne: objects without a namespace have names of their own.
func TestSharedRunOfOne(t *testing.T) {
	dir := t.TempDir()
	first, second := lean(t, dir, "a", ""), lean(t, dir, "a-b", "")
	rename := func(file, to string) {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		text := strings.NewReplacer("{frobber:", "{"+to+":", "create: frobber", "create: "+to, "touch: frobber", "touch: "+to).Replace(string(raw))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	assert.Equal(t, []string{"a a-b"}, grouped(t, false, first, second))
	rename(first, "b-x") // a + b-x-..., a-b + x-...
	rename(second, "x")
	assert.Equal(t, []string{"a", "a-b"}, grouped(t, false, first, second))
}
