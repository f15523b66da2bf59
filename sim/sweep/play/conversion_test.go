package play

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/sweep"
)

// things is a release that serves a kind in v1 and v2, with these fields in the spec of each.
func things(strategy string, fields ...string) published.Release {
	r := published.Release{Name: "things", Documents: map[string][]byte{}}
	for i, names := range fields {
		version := fmt.Sprint("v", i+1)
		var properties []string
		for _, name := range strings.Fields(names) {
			properties = append(properties, fmt.Sprintf(`%q: {"type": "string"}`, name))
		}
		r.Resources = append(r.Resources, published.Resource{APIVersion: "example.dev/" + version, Kind: "Thing", Plural: "things", Conversion: strategy})
		r.Documents["example.dev/"+version] = []byte(fmt.Sprintf(`{"openapi": "3.0.0", "info": {}, "paths": {}, "components": {"schemas": {"dev.example.%s.Thing": {
			"type": "object", "properties": {"spec": {"type": "array", "items": {"type": "object", "properties": {%s}}}},
			"x-kubernetes-group-version-kind": [{"group": "example.dev", "version": %q, "kind": "Thing"}]}}}}`, version, strings.Join(properties, ", "), version))
	}
	return r
}

// Versions that each have a field of their own need a webhook; of versions where one has all that
// the other has, the smaller one loses fields of the larger, which is what a sweep is to show.
func TestUnconverted(t *testing.T) {
	for name, c := range map[string]struct {
		release published.Release
		want    []string
	}{
		"each has more":              {things("None", "a b", "a c"), []string{"Thing.example.dev"}},
		"no strategy":                {things("", "a b", "a c"), []string{"Thing.example.dev"}},
		"one has more":               {things("None", "a", "a c"), nil},
		"alike":                      {things("None", "a b", "a b"), nil},
		"the definition has webhook": {things("Webhook", "a b", "a c"), nil},
		"one version":                {things("", "a b"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			all, err := sweep.WithoutWebhook(c.release)
			require.NoError(t, err)
			var got []string
			for _, v := range all {
				if v.Differ(func(string) bool { return true }) {
					got = append(got, v.Kind)
				}
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// TestUnconvertedInNew: what a version loses that only the new release has is its own doing, not that of a
// missing webhook.
func TestUnconvertedInNew(t *testing.T) {
	manifests := servers.Build{Installs: &servers.Installation{}}
	for old, want := range map[string][]string{"a b": nil, "a b|a c": {"Thing.example.dev"}} {
		s := &session{
			builds: map[term.Role]servers.Build{term.Old: manifests, term.New: manifests},
			plain:  map[term.Role]published.Release{term.Old: things("None", strings.Split(old, "|")...), term.New: things("None", "a b", "a c")},
		}
		got, err := s.unconverted()
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

// TestOutermost: fields that the stored version lacks are dropped, with all within them; a version
// without such a field drops none.
func TestOutermost(t *testing.T) {
	stored := map[string]bool{".spec": true, ".spec.a": true}
	assert.Equal(t, []string{".spec.b"}, sweep.Outermost(map[string]bool{".spec": true, ".spec.b": true, ".spec.b.c": true, ".spec.b[].d": true}, stored))
	assert.Empty(t, sweep.Outermost(stored, stored))
}

// TestWarnOfBase: one warning says that nothing converts kinds whose versions differ, and names the file that may
// add what does. Versions with the same fields, a webhook, one version, and kinds that are not swept have none.
func TestWarnOfBase(t *testing.T) {
	for name, c := range map[string]struct {
		release published.Release
		kinds   []string
		warned  bool
	}{
		"each has more": {things("None", "a b", "a c"), nil, true},
		"one has more":  {things("None", "a", "a c"), nil, true},
		"alike":         {things("None", "a b", "a b"), nil, false},
		"webhook":       {things("Webhook", "a b", "a c"), nil, false},
		"one version":   {things("", "a b"), nil, false},
		"not swept":     {things("None", "a b", "a c"), []string{"Other"}, false},
	} {
		var said []string
		s := &session{
			host:   Host{Warn: func(text string) { said = append(said, text) }},
			builds: map[term.Role]servers.Build{term.New: {Installs: &servers.Installation{}}}, plain: map[term.Role]published.Release{term.New: c.release},
			kustomizations: []string{"", "config/crd/kustomization.yaml", "config/crd/kustomization.yaml"},
		}
		s.scope.Kinds = c.kinds
		require.NoError(t, s.warnOfBase())
		assert.Equal(t, c.warned, s.result.Warning != "", name)
		assert.Len(t, said, map[bool]int{true: 1}[c.warned])
		assert.Equal(t, map[bool]int{true: 1}[c.warned], strings.Count(s.result.Warning, "config/crd/kustomization.yaml"), name)
		if !c.warned {
			continue
		}
		plain, row := s.result.Warning, sweep.Row{LapResult: sweep.LapResult{Effect: term.Lost.By(term.OldServer)}}
		row.Group, row.Kind = s.unpatched.kinds[0].APIVersion, s.unpatched.kinds[0].Kind
		earlier, other := row, row
		earlier.PreExisting, other.Kind = true, "Other"
		s.result.Rows = []sweep.Row{earlier, other}
		s.countUnpatched()
		assert.Equal(t, plain, s.result.Warning, "neither row is the folder's fault")
		s.result.Rows = append(s.result.Rows, row)
		s.countUnpatched()
		s.countUnpatched()
		assert.Equal(t, 1, strings.Count(s.result.Warning, ": 1"), "it is counted anew each time")
	}
}
