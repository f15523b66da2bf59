package diff

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestNearest: a kind or a field that is spelled nearly right is suggested, whatever is missing of its
// dots and brackets; another word is not.
func TestNearest(t *testing.T) {
	fields := []string{".spec.volumes[].emptyDir.mode", ".spec.replicas"}
	for wanted, want := range map[string]string{
		".spec.volumes.emptyDir.mode":   fields[0],
		"spec.volumes[].emptyDir.mode":  fields[0],
		".spec.volumes[].emptyDir.mdoe": fields[0],
		"spec.volumes":                  ".spec.volumes[]",
		".status.addresses":             "",
	} {
		assert.Equal(t, want, nearest(wanted, fields), wanted)
	}
	assert.Equal(t, "Pod", nearest("Pdo", []string{"Node", "Pod"}))
}

// TestCheckWithoutDifference: releases that do not differ have no kind to name.
func TestCheckWithoutDifference(t *testing.T) {
	assert.EqualError(t, Filter{Kinds: []string{"Pod"}}.Check(Result{}), "Pod: no difference is of this kind: the releases differ in none")
	assert.EqualError(t, Filter{Paths: []string{".spec.a"}}.Check(Result{}), ".spec.a: no difference is at this field: the releases differ in none")
	only := Result{Differences: []Difference{{Difference: term.FieldAdded, Version: "v1", Kind: "Node", Path: ".spec.a"}}}
	assert.EqualError(t, Filter{Kinds: []string{"Certificate"}}.Check(only), "Certificate: no difference is of this kind; there are some of Node")
}
