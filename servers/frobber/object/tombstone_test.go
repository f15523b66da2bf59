package object_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/servers/frobber/object"
)

// GoneMark and SilentMark are fields that have gone.
type GoneMark struct{}

func (GoneMark) Tombstone() object.Tombstone {
	return object.Tombstone{Name: "gone", Tag: 3, Note: "The field gone has been removed - use kept."}
}

// SilentMark has no note.
type SilentMark struct{}

func (SilentMark) Tombstone() object.Tombstone { return object.Tombstone{Name: "silent", Tag: 4} }

// Kept is what is left beside two fields that are gone.
type Kept struct {
	GoneMark   `json:",inline"`
	SilentMark `json:",inline"`
	Kept       int32 `json:"kept" protobuf:"varint,1,opt,name=kept"`
}

// Untouched has lost nothing.
type Untouched struct {
	Kept int32 `json:"kept" protobuf:"varint,1,opt,name=kept"`
}

func (Kept) OpenAPIModelName() string      { return "com.example.v1.KeptSpec" }
func (Untouched) OpenAPIModelName() string { return "com.example.v1.UntouchedSpec" }

func TestTombstones(t *testing.T) {
	all := object.Tombstones(reflect.TypeFor[Kept]())
	require.Len(t, all, 2)
	assert.Equal(t, []int{3, 4}, []int{all[0].Tag, all[1].Tag})
	assert.Empty(t, object.Tombstones(reflect.TypeFor[Untouched]()))
	type outer struct{ Kept }
	assert.Len(t, object.Tombstones(reflect.TypeFor[outer]()), 2, "those of embedded structs, each once")
	type named struct{ K Kept }
	assert.Empty(t, object.Tombstones(reflect.TypeFor[named]()), "a member's are its own")
}

// TestTombstonesAreNoFields: codecs and clients see nothing of them but the note.
func TestTombstonesAreNoFields(t *testing.T) {
	with, without := &object.Object[Kept, struct{}]{}, &object.Object[Untouched, struct{}]{}
	with.Spec.Kept, without.Spec.Kept = 5, 5
	inJSON, err := json.Marshal(with)
	require.NoError(t, err)
	plain, err := json.Marshal(without)
	require.NoError(t, err)
	assert.Equal(t, string(plain), string(inJSON))
	raw, err := with.Marshal()
	require.NoError(t, err)
	rawPlain, err := without.Marshal()
	require.NoError(t, err)
	assert.Equal(t, rawPlain, raw)
	described := object.Definitions(func(string) spec.Ref { return spec.Ref{} }, with, without)
	kept, untouched := described["com.example.v1.KeptSpec"].Schema, described["com.example.v1.UntouchedSpec"].Schema
	assert.Equal(t, "The field gone has been removed - use kept.", kept.Description)
	assert.Empty(t, untouched.Description)
	assert.Equal(t, untouched.Properties, kept.Properties)
}
