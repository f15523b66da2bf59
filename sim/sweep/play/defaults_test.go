package play

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/run/precheck"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestWithoutDefaults: an object that holds a default beside its value is played without the default.
// One that is for the field with the default is not changed.
func TestWithoutDefaults(t *testing.T) {
	found := defaultsIn(errors.Join(&precheck.DefaultError{At: "objects/a.yaml:9", Path: ".spec.day", Value: "Sun"}, errors.New("another")))
	assert.Equal(t, map[string][]string{"a": {".spec.day"}}, found)
	object := func(held string) sweep.Object {
		spec := map[string]any{"day": "Sun", "size": int64(3)}
		return sweep.Object{Specimen: try.Specimen{Held: held, Object: map[string]any{"spec": spec}}}
	}
	beside, own := object(".spec.size"), object(".spec.day")
	assert.True(t, withoutDefaults(&beside, found["a"]))
	assert.Equal(t, map[string]any{"spec": map[string]any{"size": int64(3)}}, beside.Specimen.Object)
	assert.False(t, withoutDefaults(&own, found["a"]))
	assert.Equal(t, object("").Specimen.Object, own.Specimen.Object)
	assert.False(t, withoutDefaults(&own, nil))
}
