package try

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/path"
)

// TestFilled: an object is filled with the fields that the server takes and keeps, and no other.
func TestFilled(t *testing.T) {
	c, _ := config(t)
	whole := Target{ID: "plain", APIVersion: "example.dev/v1", Kind: "Widget"}
	filled := whole
	filled.Filled = true
	less := filled
	less.Except = []string{".spec.parts"}
	got, err := Specimens(t.Context(), c, []Target{whole, filled, less})
	require.NoError(t, err)
	require.Len(t, got, 3)
	require.NotNil(t, got[2].Object, got[2].Reason)
	assert.NotContains(t, got[2].Object["spec"], "parts", "the field is excepted, with what is in it")
	assert.NotContains(t, got[0].Object["spec"], "colour", "nobody asked for it")
	spec, _ := got[1].Object["spec"].(map[string]any)
	assert.EqualValues(t, 1004, spec["size"], "a small number is made a large one")
	assert.Equal(t, "red", spec["colour"], "as the refusal says")
	assert.Contains(t, spec, "parts")
	assert.NotContains(t, spec, "never", "the server refuses it")
	assert.NotContains(t, spec, "dropped", "the server drops it")
	assert.NotContains(t, spec, "address", "the server chooses it for each object")
}

// TestFilledHolds: a filled object holds the target's value where the specimen says: the key of its
// element stays as it is. Texts beside it do not.
func TestFilledHolds(t *testing.T) {
	c, _ := config(t)
	target := Target{ID: "weight", APIVersion: "example.dev/v1", Kind: "Widget", Path: ".spec.parts[].weight", Filled: true}
	got, err := Specimens(t.Context(), c, []Target{target})
	require.NoError(t, err)
	held, err := path.Parse(got[0].Held)
	require.NoError(t, err)
	is, has := path.Get(got[0].Object, held)
	require.True(t, has, "%s in %v", got[0].Held, got[0].Object)
	assert.Equal(t, got[0].Answered, is)
	spec, _ := got[0].Object["spec"].(map[string]any)
	assert.Equal(t, "Sample-Word", spec["hinted"])
}

// TestIsCustom: groups of Kubernetes are those without a dot and those below k8s.io.
func TestIsCustom(t *testing.T) {
	assert.True(t, isCustom("example.dev/v1"))
	for _, own := range []string{"v1", "apps/v1", "storage.k8s.io/v1"} {
		assert.False(t, isCustom(own), own)
	}
}

// TestFilledStatus: a status of a custom resource is filled through its subresource, and the object
// that it belongs to is not.
func TestFilledStatus(t *testing.T) {
	c, _ := config(t)
	target := Target{ID: "status", APIVersion: "example.dev/v1", Kind: "Widget", Path: ".status", Filled: true, Except: []string{".status.note"}}
	got, err := Specimens(t.Context(), c, []Target{target})
	require.NoError(t, err)
	require.NotNil(t, got[0].Object, got[0].Reason)
	status, _ := got[0].Object["status"].(map[string]any)
	assert.Contains(t, status, "phase")
	assert.Contains(t, status, "size")
	assert.NotContains(t, got[0].Object["spec"], "hinted")
}

// TestIsBeside: beside a value are the fields of its struct, however deep, and those of what is around it in a
// list.
func TestIsBeside(t *testing.T) {
	f := &filling{specimen: &Specimen{Target: Target{Path: ".spec.routes[].policy.hash[].opts"}}}
	for field, want := range map[string]bool{
		".spec.routes[].policy.hash[].terminal": true, ".spec.routes[].policy.hash[].opts.name": true, ".spec.routes[].policy.strategy": true,
		".spec.routes[].name": true, ".spec.fqdn": false, ".spec.routes[].other.x": false, ".spec": false,
	} {
		assert.Equal(t, want, f.isBeside(field), field)
	}
	assert.False(t, (&filling{specimen: &Specimen{}}).isBeside(".spec.a"))
}
