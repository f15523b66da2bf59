package fleet

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// TestAdapterIsTold: an adapter's errors are reported for the adapter, and the scenario's
// for the scenario.
func TestAdapterIsTold(t *testing.T) {
	p, all := runtest.SmallPlan(t, runtest.Small), runtest.Builds()
	b := all[term.New]
	b.Aggregated = &servers.Aggregation{
		File: "fish.yaml", Globals: "nosuch", Flags: []string{"--fins=2", "--tail"},
		Names: map[string]string{"bind-address": "listen", "etcd-servers": "store"},
	}
	all[term.New] = b
	o := NewOptions(p, all, runtest.NewWorld(t), func(string) string { return "x.yaml:2" })
	for words, e := range map[string]struct {
		flags []string
		want  string
	}{
		"Error: unknown flag: --store":    {nil, "fish.yaml: names.etcd-servers: NEW has no flag --store, which its adapter sets: correct it there"},
		"Error: unknown flag: --fins":     {nil, "fish.yaml: flags: NEW has no flag --fins, which its adapter sets: correct it there"},
		"unknown flag: --fins again":      {[]string{"--fins=3"}, "x.yaml:2: new.flags: NEW has no flag --fins: leave it out, or name a release that has it"},
		"Error: unknown flag: --scales":   {nil, "x.yaml:2: new.flags: NEW has no flag --scales: leave it out, or name a release that has it"},
		"component not registered: other": {nil, ""},
		"component not registered: nosuch": {nil,
			"fish.yaml: globals: NEW has no component nosuch with gates and versions: correct it, or leave it out"},
		`invalid argument "127.0.0.1" for "--listen" flag: not a number`: {nil,
			"fish.yaml: names.bind-address: NEW does not accept this value of --listen: correct it, or name another flag"},
		`invalid argument "x" for "--v" flag: not a number`: {nil, "x.yaml:2: new.flags: NEW does not accept this value of --v: correct it"},
	} {
		p.Releases[1].Options = scenarios.Options{Flags: e.flags}
		err := o.Explain(t.Context(), term.New, &servers.ExitError{Tail: []string{words}})
		var told *OptionsError
		if e.want == "" {
			assert.NotErrorAs(t, err, &told, words)
			continue
		}
		require.ErrorAs(t, err, &told, words)
		assert.Equal(t, []string{versioned("", b.Version, e.want)}, told.Told, words)
	}
}
