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

// TestUnknownPolicies: what readers that are built on a release's types make of
// each policy. One that they do not know is Never, as the description says.
func TestUnknownPolicies(t *testing.T) {
	for policy, want := range map[string]string{
		"Always": "Always Always", "Never": "Never Never", "Sometimes": "Sometimes Sometimes",
		"OnlyOnTuesday": "Never OnlyOnTuesday", "OnSundays": "Never Never", "": "Never Never",
	} {
		assert.Equal(t, want, fmt.Sprint(train.Policy(policy).Known(), " ", train.TuesdayPolicy(policy).Known()), policy)
	}
}

// TestOlderReaders: clients of each release since the field is there read what the
// newer ones store, in every version that both serve, and write it back as it is.
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

// TestPolicyIsDescribedAsOpen: what has to be said in the first release with the
// field, and in all later ones. The twin that does not say it is found.
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

// described is what is published of a field of an object's spec, by its Go name.
func described(o any, name string) string {
	spec, _ := o.(object.Content).Contents()
	f, _ := reflect.TypeOf(spec).Elem().FieldByName(name)
	return f.Tag.Get("doc")
}
