package train_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/frobber/object"
	"github.com/skewsim/skewsim/servers/frobber/train"
)

// TestUnknownPolicies: how readers with a release's types understand each policy. An unknown
// one means Never, as the description says.
func TestUnknownPolicies(t *testing.T) {
	for policy, want := range map[string]string{
		"Always": "Always Always", "Never": "Never Never", "Sometimes": "Sometimes Sometimes",
		"OnlyOnTuesday": "Never OnlyOnTuesday", "OnSundays": "Never Never", "": "Never Never",
	} {
		assert.Equal(t, want, fmt.Sprint(train.Policy(policy).Known(), " ", train.TuesdayPolicy(policy).Known()), policy)
	}
}

// TestOlderReaders: clients of each release since the field was added read what newer ones
// store, in every version that both serve, and write it back unchanged.
func TestOlderReaders(t *testing.T) {
	for _, reader := range []string{"1.8", "1.9", "1.10", "1.11", "1.8+closed"} {
		for _, v := range find(t, reader).Versions {
			o := v.New()
			sent := `{"spec":{"restartPolicy":"OnlyOnTuesday"}}`
			err := json.Unmarshal([]byte(sent), o)
			if strings.HasSuffix(reader, "+closed") {
				assert.ErrorContains(t, err, `unknown restartPolicy "OnlyOnTuesday"`, v.Name)
				assert.NoError(t, json.Unmarshal([]byte(strings.Replace(sent, "OnlyOnTuesday", "Sometimes", 1)), v.New()))
				continue
			}
			require.NoError(t, err, "%s %s", reader, v.Name)
			assert.Equal(t, "OnlyOnTuesday", leaves(t, o)[".spec.restartPolicy"], "%s %s", reader, v.Name)
		}
	}
}

// TestPolicyIsDescribedAsOpen: the description must say so in the first release with the field,
// and in all later ones. The mutant without it is found.
func TestPolicyIsDescribedAsOpen(t *testing.T) {
	isOpen := func(name string) (open bool) {
		v, _ := find(t, name).Version("v6")
		doc := described(v.New(), "RestartPolicy")
		return strings.Contains(doc, "Additional policies may be defined in the future") &&
			strings.Contains(doc, "treat unrecognized values in this field as Never")
	}
	for _, name := range []string{"1.8", "1.9", "1.10", "1.11", "1.12"} {
		assert.True(t, isOpen(name), name)
	}
	assert.False(t, isOpen("1.8+closed"))
}

// described returns the published description of a spec's field, by its Go name.
func described(o any, name string) string {
	spec, _ := o.(object.Content).Contents()
	f, _ := reflect.TypeOf(spec).Elem().FieldByName(name)
	return f.Tag.Get("doc")
}
