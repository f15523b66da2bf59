package object_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/randfill"

	"github.com/skewsim/skewsim/servers/frobber/object"
)

// Base and its successor are releases of a spec, as package train has them.
type Base struct {
	Height   int32             `json:"height" protobuf:"varint,1,opt,name=height" doc:"how high" default:"7"`
	Name     string            `json:"name,omitempty" protobuf:"bytes,2,opt,name=name"`
	On       bool              `json:"on,omitempty" protobuf:"varint,3,opt,name=on"`
	Big      *int64            `json:"big,omitempty" protobuf:"varint,4,opt,name=big"`
	Parts    []Part            `json:"parts,omitempty" protobuf:"bytes,5,rep,name=parts" patchStrategy:"merge" patchMergeKey:"name" listType:"map" listMapKey:"name"`
	Words    []string          `json:"words,omitempty" protobuf:"bytes,6,rep,name=words" listType:"set"`
	Numbers  []int32           `json:"numbers,omitempty" protobuf:"varint,7,rep,name=numbers"`
	Labels   map[string]string `json:"labels,omitempty" protobuf:"bytes,8,rep,name=labels"`
	Raw      []byte            `json:"raw,omitempty" protobuf:"bytes,9,opt,name=raw"`
	When     metav1.Time       `json:"when,omitempty" protobuf:"bytes,10,opt,name=when"`
	WhenEver *metav1.Time      `json:"whenEver,omitempty" protobuf:"bytes,11,opt,name=whenEver"`
	One      *Part             `json:"one,omitempty" protobuf:"bytes,12,opt,name=one"`
}

func (Base) OpenAPIModelName() string { return "com.example.v1.WidgetSpec" }

// Part is an element of a list.
type Part struct {
	Name string `json:"name" protobuf:"bytes,1,opt,name=name"`
	Size *int32 `json:"size,omitempty" protobuf:"varint,2,opt,name=size"`
}

// Wide adds a field, and has another in a different shape.
type Wide struct {
	Base   `json:",inline"`
	Width  *int32 `json:"width,omitempty" protobuf:"varint,20,opt,name=width"`
	Height *int32 `json:"height,omitempty" protobuf:"varint,1,opt,name=height"`
}

type status struct {
	Area       int64              `json:"area,omitempty" protobuf:"varint,1,opt,name=area"`
	Conditions []metav1.Condition `json:"conditions,omitempty" protobuf:"bytes,3,rep,name=conditions"`
}

type (
	old     = object.Object[Base, status]
	oldList = object.List[Base, status]
	wide    = object.Object[Wide, status]
)

// random fills anything, with times that survive an encoding to seconds.
func random(seed uint64, into any) {
	r := rand.New(rand.NewPCG(seed, 1))
	randfill.NewWithSeed(int64(seed)).NilChance(.3).NumElements(1, 3).Funcs(
		func(t *metav1.Time, _ randfill.Continue) { *t = metav1.Unix(r.Int64N(1e9), 0) },
		func(t *object.TypeMeta, _ randfill.Continue) { *t = object.TypeMeta{} },
		func(t *metav1.TypeMeta, _ randfill.Continue) { *t = metav1.TypeMeta{} },
		func(t *time.Time, _ randfill.Continue) { *t = time.Unix(r.Int64N(1e9), 0) },
		func(f *metav1.FieldsV1, _ randfill.Continue) { *f = *metav1.NewFieldsV1(`{}`) },
	).Fill(into)
}

// asJSON is what a value is, whether slices are nil or empty aside.
func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

// TestDeepCopy changes all of a copy and finds nothing changed in the original.
func TestDeepCopy(t *testing.T) {
	for seed := range uint64(100) {
		var o wide
		random(seed, &o)
		before := asJSON(t, &o)
		copied := o.DeepCopyObject().(*wide)
		require.Equal(t, &o, copied)
		scribble(copied)
		require.Equal(t, before, asJSON(t, &o), "seed %d", seed)
	}
	assert.Nil(t, object.DeepCopy[wide](nil))
}

// scribble writes to whatever a copy could share.
func scribble(o *wide) {
	for _, p := range []*int32{o.Spec.Width, o.Spec.Height} {
		if p != nil {
			*p++
		}
	}
	if o.Spec.Big != nil {
		*o.Spec.Big++
	}
	if o.Spec.One != nil {
		o.Spec.One.Name += "!"
	}
	if o.Spec.WhenEver != nil {
		o.Spec.WhenEver.Time = o.Spec.WhenEver.Add(time.Hour)
	}
	for i := range o.Spec.Parts {
		o.Spec.Parts[i].Name += "!"
		if p := o.Spec.Parts[i].Size; p != nil {
			*p++
		}
	}
	for i := range o.Spec.Words {
		o.Spec.Words[i] += "!"
	}
	for i := range o.Spec.Raw {
		o.Spec.Raw[i]++
	}
	for key := range o.Spec.Labels {
		o.Spec.Labels[key] += "!"
	}
	for i := range o.Status.Conditions {
		o.Status.Conditions[i].Type += "!"
	}
	for i := range o.Metadata.OwnerReferences {
		o.Metadata.OwnerReferences[i].Name += "!"
	}
}

// internal is what both versions convert to.
type internal struct {
	Height, Width *int32
	Name          string
	On            *bool
	Parts         []innerPart
	Words         []string
	Labels        map[string]string
	Numbers       string // no counterpart that fits
}

type innerPart struct {
	Name string
	Size int32
}

func TestGroup(t *testing.T) {
	three := int32(3)
	from := Wide{Width: &three, Base: Base{Name: "n", Numbers: []int32{1}, Parts: []Part{{"a", &three}, {Name: "b"}}, Words: []string{"w"}}}
	var into internal
	object.Ungroup(&from, &into)
	no := false
	assert.Equal(t, internal{
		Width: &three, Name: "n", On: &no, Parts: []innerPart{{"a", 3}, {"b", 0}}, Words: []string{"w"},
	}, into)
	*into.Width, into.Words[0] = 4, "x"
	assert.Equal(t, int32(3), *from.Width, "a copy shares what it was made of")
	assert.Equal(t, "w", from.Words[0], "a copy shares what it was made of")

	var back Wide
	object.Group(&into, &back)
	zero := int32(0)
	assert.Equal(t, []Part{{"a", &three}, {"b", &zero}}, back.Parts, "a value becomes a pointer to it")
	assert.Nil(t, back.Height)
}
