package diff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/published"
)

// TestRepeats: what changes in a struct that a definition has in many fields is one difference with its
// places; in few fields, in structs that differ, where a list is merged in another way, in the status, and
// in several kinds of an API server's own, it is a difference each.
func TestRepeats(t *testing.T) {
	const (
		before = `{"type":"object","properties":{"name":{"type":"string"}}}`
		after  = `{"type":"object","properties":{"name":{"type":"string","pattern":"^a"}}}`
		other  = `{"type":"object","properties":{"name":{"type":"string","pattern":"^a"},"more":{"type":"string"}}}`
		keyed  = `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":%s}`
	)
	in := func(fields ...string) string {
		var all []string
		for i, f := range fields {
			all = append(all, fmt.Sprintf(`"f%d":%s`, i, f))
		}
		return `{"type":"object","properties":{` + strings.Join(all, ",") + `}}`
	}
	times := func(n int, schema string) (all []string) {
		for range n {
			all = append(all, schema)
		}
		return all
	}
	spec := func(fields ...string) string { return `"spec":` + in(fields...) }
	for name, tc := range map[string]struct {
		old, new string
		builtIn  bool
		places   []int // of each difference
	}{
		"in four fields":               {old: spec(times(4, before)...), new: spec(times(4, after)...), places: []int{4}},
		"in three fields":              {old: spec(times(3, before)...), new: spec(times(3, after)...), places: []int{1, 1, 1}},
		"of an API server's own":       {old: spec(times(4, before)...), new: spec(times(4, after)...), builtIn: true, places: []int{1, 1, 1, 1}},
		"in structs that differ":       {old: spec(append(times(3, before), other)...), new: spec(append(times(3, after), other)...), places: []int{1, 1, 1}},
		"in a struct that is no twin":  {old: spec(append(times(3, before), strings.Replace(other, `,"pattern":"^a"`, "", 1))...), new: spec(append(times(3, after), other)...), places: []int{1, 1, 1, 1}},
		"in a list that has keys, too": {old: spec(append(times(4, before), fmt.Sprintf(keyed, before))...), new: spec(append(times(4, after), fmt.Sprintf(keyed, after))...), places: []int{4, 1}},
		"in the status, too":           {old: spec(times(4, before)...) + `,"status":` + before, new: spec(times(4, after)...) + `,"status":` + after, places: []int{4, 1}},
	} {
		custom := func(r *published.Release) { r.Resources[0].Custom = !tc.builtIn }
		result, err := diff.Compare(widget(tc.old, "", custom), widget(tc.new, "", custom))
		require.NoError(t, err)
		var places []int
		for _, d := range result.Differences {
			require.Equal(t, term.RuleTightened, d.Difference, name)
			assert.Equal(t, d.Path, d.Places[0].Path, name)
			places = append(places, len(d.Places))
		}
		assert.Equal(t, tc.places, places, name)
	}
}
