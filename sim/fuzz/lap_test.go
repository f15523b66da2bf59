package fuzz

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/term"
)

// TestEnough: so few objects that a kind, or a version of one through one of the
// releases, gets none, are refused; one more is enough, and creates in each.
func TestEnough(t *testing.T) {
	served := func(kinds ...string) *release {
		r := &release{}
		for i := 0; i < len(kinds); i += 2 {
			r.served = append(r.served, client.Discovered{APIVersion: kinds[i], Kind: kinds[i+1]})
		}
		return r
	}
	for name, c := range map[string]struct {
		old, new *release
		kinds    []string
		need     int
	}{
		"one kind":           {served("v1", "A"), served("v1", "A"), []string{"A"}, 2},
		"another version":    {served("v1", "A"), served("v1", "A", "v2", "A"), []string{"A"}, 3},
		"two kinds":          {served("v1", "A", "v1", "B"), served("v1", "A", "v1", "B"), []string{"A", "B"}, 4},
		"the first has more": {served("v1", "A", "v1", "B"), served("v1", "A", "v1", "B", "v2", "A"), []string{"A", "B"}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fuzzer{config: Config{Count: c.need - 1}, kinds: c.kinds}
			releases := map[term.Role]*release{term.Old: c.old, term.New: c.new}
			var request *servers.RequestError
			require.ErrorAs(t, f.enough(releases), &request)
			f.config.Count++
			require.NoError(t, f.enough(releases))
			created := map[string]map[string]bool{}
			for number := range c.need {
				tr := (&lap{fuzzer: f, releases: releases}).traveller(number)
				if created[tr.kind] == nil {
					created[tr.kind] = map[string]bool{}
				}
				created[tr.kind][string(tr.origin.role)+" "+tr.origin.apiVersion()] = true
			}
			for _, kind := range c.kinds {
				assert.Len(t, created[kind], len(places(kind, releases)), kind)
			}
			one := 0
			f.config = Config{Count: 1, Only: &one}
			assert.NoError(t, f.enough(releases), "one object was asked for")
		})
	}
}

// TestNothingSent: a kind of which nothing was sent says nothing, unless one object
// was asked for, which is of another kind.
func TestNothingSent(t *testing.T) {
	for only, want := range map[bool]term.VerdictWord{false: term.Unknown, true: term.Pass} {
		r := &Result{}
		f := &fuzzer{config: Config{Count: 1}, result: r, kinds: []string{"A", "B"}}
		if only {
			f.config.Only = new(int)
		}
		l := &lap{fuzzer: f, releases: map[term.Role]*release{term.Old: {}, term.New: {}}}
		require.NoError(t, l.conclude(t.Context(), []*journey{{traveller: &traveller{kind: "A"}, accepted: true, done: true}}, nil))
		r.judge()
		assert.Equal(t, want, r.Verdict, r.Reason)
	}
}
