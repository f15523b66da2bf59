package object_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/servers/frobber/object"
)

func TestProtobufRoundTrip(t *testing.T) {
	for seed := range uint64(200) {
		var o, back wide
		random(seed, &o)
		b, err := o.Marshal()
		require.NoError(t, err)
		require.Equal(t, len(b), o.Size())
		back.Spec.Name = "left over"
		back.Reset()
		require.NoError(t, back.Unmarshal(b))
		require.Equal(t, asJSON(t, &o), asJSON(t, &back), "seed %d", seed)
	}
}

func TestProtobufListRoundTrip(t *testing.T) {
	var l, back oldList
	l.Resize(3)
	for i := range l.Len() {
		random(uint64(i), l.At(i).(*old))
	}
	l.Metadata.Continue = "x"
	b, err := l.Marshal()
	require.NoError(t, err)
	require.NoError(t, back.Unmarshal(b))
	assert.Equal(t, asJSON(t, &l), asJSON(t, &back))
}

// The generated code is a judge that knows nothing of this package: these have
// the fields of autoscaling/v1 Scale and of what is around it.
type (
	scaleSpec struct {
		Replicas int32 `json:"replicas,omitempty" protobuf:"varint,1,opt,name=replicas"`
	}
	scaleStatus struct {
		Replicas int32  `json:"replicas" protobuf:"varint,1,opt,name=replicas"`
		Selector string `json:"selector,omitempty" protobuf:"bytes,2,opt,name=selector"`
	}
	scale = object.Object[scaleSpec, scaleStatus]
	// hpaSpec and hpaStatus have pointers, and structs in structs.
	hpaSpec struct {
		Target  crossReference `json:"scaleTargetRef" protobuf:"bytes,1,opt,name=scaleTargetRef"`
		Min     *int32         `json:"minReplicas,omitempty" protobuf:"varint,2,opt,name=minReplicas"`
		Max     int32          `json:"maxReplicas" protobuf:"varint,3,opt,name=maxReplicas"`
		Percent *int32         `json:"targetCPUUtilizationPercentage,omitempty" protobuf:"varint,4,opt,name=targetCPUUtilizationPercentage"`
	}
	crossReference struct {
		Kind       string `json:"kind" protobuf:"bytes,1,opt,name=kind"`
		Name       string `json:"name" protobuf:"bytes,2,opt,name=name"`
		APIVersion string `json:"apiVersion,omitempty" protobuf:"bytes,3,opt,name=apiVersion"`
	}
	hpaStatus struct {
		Generation *int64       `json:"observedGeneration,omitempty" protobuf:"varint,1,opt,name=observedGeneration"`
		Scaled     *metav1.Time `json:"lastScaleTime,omitempty" protobuf:"bytes,2,opt,name=lastScaleTime"`
		Current    int32        `json:"currentReplicas" protobuf:"varint,3,opt,name=currentReplicas"`
		Desired    int32        `json:"desiredReplicas" protobuf:"varint,4,opt,name=desiredReplicas"`
		Percent    *int32       `json:"currentCPUUtilizationPercentage,omitempty" protobuf:"varint,5,opt,name=currentCPUUtilizationPercentage"`
	}
	hpa = object.Object[hpaSpec, hpaStatus]
	// ownerSpec has lists and maps, those of a label selector.
	selectorSpec struct {
		Labels map[string]string `json:"matchLabels,omitempty" protobuf:"bytes,1,rep,name=matchLabels"`
		Needs  []requirement     `json:"matchExpressions,omitempty" protobuf:"bytes,2,rep,name=matchExpressions"`
	}
	requirement struct {
		Key      string   `json:"key" protobuf:"bytes,1,opt,name=key"`
		Operator string   `json:"operator" protobuf:"bytes,2,opt,name=operator"`
		Values   []string `json:"values,omitempty" protobuf:"bytes,3,rep,name=values"`
	}
)

// message is what both sides of the comparison can do.
type message interface {
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

// TestProtobufIsThatOfGeneratedCode holds the bytes against Kubernetes' own.
func TestProtobufIsThatOfGeneratedCode(t *testing.T) {
	for name, c := range map[string]struct{ theirs, ours func() message }{
		"scale": {func() message { return &autoscalingv1.Scale{} }, func() message { return &scale{} }},
		"hpa":   {func() message { return &autoscalingv1.HorizontalPodAutoscaler{} }, func() message { return &hpa{} }},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(100) {
				theirs, ours, again := c.theirs(), c.ours(), c.theirs()
				random(seed, theirs)
				want, err := theirs.Marshal()
				require.NoError(t, err)
				require.NoError(t, ours.Unmarshal(want))
				got, err := ours.Marshal()
				require.NoError(t, err)
				require.Equal(t, want, got, "seed %d", seed)
				require.NoError(t, again.Unmarshal(got))
				require.Equal(t, asJSON(t, theirs), asJSON(t, again))
			}
		})
	}
}

// TestMapsAndListsAreThoseOfGeneratedCode compares a spec with a message, which
// is encoded in a field as an object's spec is.
func TestMapsAndListsAreThoseOfGeneratedCode(t *testing.T) {
	for seed := range uint64(100) {
		var selector metav1.LabelSelector
		random(seed, &selector)
		want, err := selector.Marshal()
		require.NoError(t, err)
		var o object.Object[selectorSpec, struct{}]
		require.NoError(t, o.Unmarshal(protowire.AppendBytes(protowire.AppendTag(nil, 2, protowire.BytesType), want)))
		b, err := o.Marshal()
		require.NoError(t, err)
		require.Equal(t, want, field(t, b, 2), "seed %d", seed)
	}
}

// field gives a message's field of a number.
func field(t *testing.T, b []byte, number protowire.Number) []byte {
	t.Helper()
	for len(b) > 0 {
		got, wire, n := protowire.ConsumeField(b)
		require.Positive(t, n)
		_, _, tag := protowire.ConsumeTag(b)
		if got == number && wire == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(b[tag:])
			return value
		}
		b = b[n:]
	}
	t.Fatalf("no field %d", number)
	return nil
}

// asSpec makes an object's bytes of its spec's.
func asSpec(b []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, 2, protowire.BytesType), b)
}

func TestUnmarshalOfOtherReleases(t *testing.T) {
	number := func(n protowire.Number, v uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(nil, n, protowire.VarintType), v)
	}
	text := func(n protowire.Number, v string) []byte {
		return protowire.AppendString(protowire.AppendTag(nil, n, protowire.BytesType), v)
	}
	for name, c := range map[string]struct {
		spec []byte
		want Base
		err  string
	}{
		"a field of a later release is skipped": {spec: append(number(20, 9), number(1, 5)...), want: Base{Height: 5}},
		"a group is skipped":                    {spec: append(protowire.AppendTag(protowire.AppendTag(nil, 30, protowire.StartGroupType), 30, protowire.EndGroupType), number(1, 5)...), want: Base{Height: 5}},
		"packed numbers are the same numbers":   {spec: text(7, "\x01\x02"), want: Base{Numbers: []int32{1, 2}}},
		"numbers one by one":                    {spec: append(number(7, 1), number(7, 2)...), want: Base{Numbers: []int32{1, 2}}},
		"a negative number":                     {spec: number(1, ^uint64(0)), want: Base{Height: -1}},
		"a number where text was":               {spec: number(2, 1), err: "proto: wrong wireType = 0 for field Name"},
		"text where a number was":               {spec: text(1, "x"), err: "proto: wrong wireType = 2 for field Height"},
		"a number where a list of messages was": {spec: number(5, 1), err: "proto: wrong wireType = 0 for field Parts"},
		"a number where a map was":              {spec: number(8, 1), err: "proto: wrong wireType = 0 for field Labels"},
		"a number of another width in a list":   {spec: protowire.AppendFixed32(protowire.AppendTag(nil, 7, protowire.Fixed32Type), 1), err: "proto: wrong wireType = 5 for field Numbers"},
		"a wrong type within":                   {spec: text(12, string(number(1, 1))), err: "proto: wrong wireType = 0 for field Name"},
		"the last of two wins":                  {spec: append(number(1, 1), number(1, 2)...), want: Base{Height: 2}},
		"a message in two halves is one":        {spec: append(text(12, string(text(1, "n"))), text(12, string(number(2, 0)))...), want: Base{One: &Part{"n", new(int32)}}},
		"what ends in the middle":               {spec: []byte{0x0a, 5, 'x'}, err: "unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			var o old
			err := o.Unmarshal(asSpec(c.spec))
			if c.err != "" {
				require.EqualError(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, o.Spec)
		})
	}
}

// TestEmptyAndAbsent: a pointer tells zero from nothing, a value does not.
func TestEmptyAndAbsent(t *testing.T) {
	var without, with wide
	with.Spec.Width = new(int32)
	a, err := without.Marshal()
	require.NoError(t, err)
	b, err := with.Marshal()
	require.NoError(t, err)
	assert.NotEqual(t, a, b)
	var back wide
	require.NoError(t, back.Unmarshal(b))
	assert.Equal(t, new(int32), back.Spec.Width)
	assert.Nil(t, back.Spec.Height, "the field further in is hidden, and would always be sent")
}

func TestUnencodable(t *testing.T) {
	type float struct {
		F float64 `json:"f" protobuf:"fixed64,1,opt,name=f"`
	}
	_, err := (&object.Object[float, struct{}]{}).Marshal()
	require.ErrorContains(t, err, "field F: object: float64: no encoding")
	assert.Equal(t, reflect.Float64, reflect.TypeFor[float64]().Kind())
}
