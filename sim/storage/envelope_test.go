package storage_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/cbor"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"

	"github.com/skewsim/skewsim/sim/storage"
)

// asProtobuf encodes as an API server stores a built-in kind: through
// apimachinery's own serializer.
func asProtobuf(t testing.TB, apiVersion, kind string) []byte {
	t.Helper()
	scheme := runtime.NewScheme()
	s := protobuf.NewSerializer(scheme, scheme)
	object := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: apiVersion, Kind: kind}}
	object.Name = "x"
	var b bytes.Buffer
	require.NoError(t, s.Encode(object, &b))
	return b.Bytes()
}

// asUnknown is the envelope alone, around any content.
func asUnknown(t testing.TB, u runtime.Unknown) []byte {
	t.Helper()
	raw, err := u.Marshal()
	require.NoError(t, err)
	return append([]byte("k8s\x00"), raw...)
}

func asCBOR(t testing.TB) []byte {
	t.Helper()
	scheme := runtime.NewScheme()
	var b bytes.Buffer
	object := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Gadget"}}
	require.NoError(t, cbor.NewSerializer(scheme, scheme).Encode(object, &b))
	return b.Bytes()
}

func TestDescribe(t *testing.T) {
	whole := asProtobuf(t, "example.dev/v1", "Gadget")
	for name, c := range map[string]struct {
		value []byte
		want  storage.Envelope
	}{
		"protobuf":                {whole, storage.Envelope{Encoding: storage.Protobuf, APIVersion: "example.dev/v1", Kind: "Gadget"}},
		"YAML":                    {[]byte("apiVersion: example.dev/v1\nkind: Gadget\nspec:\n  kind: other\n"), storage.Envelope{Encoding: storage.YAML, APIVersion: "example.dev/v1", Kind: "Gadget"}},
		"text":                    {[]byte("apiVersion: example.dev/v1\n kind: Gadget\n"), storage.Envelope{Encoding: storage.Opaque}},
		"protobuf without a type": {asUnknown(t, runtime.Unknown{Raw: []byte{1}}), storage.Envelope{Encoding: storage.Protobuf}},
		"protobuf, odd content": {
			asUnknown(t, runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "v1", Kind: "G"}, Raw: []byte("\xff\xff"), ContentEncoding: "zip"}),
			storage.Envelope{Encoding: storage.Protobuf, APIVersion: "v1", Kind: "G"},
		},
		"protobuf, cut":                        {whole[:len(whole)-3], storage.Envelope{Encoding: storage.Opaque}},
		"protobuf, nothing":                    {[]byte("k8s\x00"), storage.Envelope{Encoding: storage.Protobuf}},
		"protobuf, garbage":                    {[]byte("k8s\x00\xff\xff\xff"), storage.Envelope{Encoding: storage.Opaque}},
		"JSON":                                 {[]byte(`{"kind":"Gadget","apiVersion":"v1","spec":{"kind":"no"}}` + "\n"), storage.Envelope{Encoding: storage.JSON, APIVersion: "v1", Kind: "Gadget"}},
		"JSON without type":                    {[]byte(`{}`), storage.Envelope{Encoding: storage.JSON}},
		"JSON, cut":                            {[]byte(`{"kind":"Gadget"`), storage.Envelope{Encoding: storage.Opaque}},
		"JSON, kind a list":                    {[]byte(`{"kind":[]}`), storage.Envelope{Encoding: storage.Opaque}},
		"JSON, no object":                      {[]byte(`[1]`), storage.Envelope{Encoding: storage.Opaque}},
		"CBOR":                                 {asCBOR(t), storage.Envelope{Encoding: storage.CBOR, APIVersion: "v1", Kind: "Gadget"}},
		"encrypted":                            {[]byte("k8s:enc:aescbc:v1:key1:\x01\x02"), storage.Envelope{Encoding: storage.Encrypted, Provider: "aescbc", Key: "key1"}},
		"encrypted, by a KMS":                  {[]byte("k8s:enc:kms:v2:vault:\x01:\x02"), storage.Envelope{Encoding: storage.Encrypted, Provider: "kms", Key: "vault"}},
		"encrypted, cut":                       {[]byte("k8s:enc:aescbc:v1:k"), storage.Envelope{Encoding: storage.Encrypted}},
		"encrypted, garbage":                   {[]byte("k8s:enc:\xff:\x01:\x02:\x03"), storage.Envelope{Encoding: storage.Encrypted}},
		"half a prefix":                        {[]byte("k8s"), storage.Envelope{Encoding: storage.Opaque}},
		"a number, as a lease of an allocator": {[]byte("17"), storage.Envelope{Encoding: storage.Opaque}},
		"empty":                                {[]byte{}, storage.Envelope{Encoding: storage.Opaque}},
		"none":                                 {nil, storage.Envelope{Encoding: storage.Opaque}},
	} {
		assert.Equal(t, c.want, storage.Describe(c.value), name)
	}
}

func TestDescribeLeavesTheValueAlone(t *testing.T) {
	value := asProtobuf(t, "v1", "Gadget")
	before := bytes.Clone(value)
	e := storage.Describe(value)
	value[len(value)-1] ^= 0xff
	assert.Equal(t, storage.Envelope{Encoding: storage.Protobuf, APIVersion: "v1", Kind: "Gadget"}, e)
	assert.Equal(t, before[:len(before)-1], value[:len(value)-1])
}

// FuzzDescribe holds that no value makes Describe panic, and that only values
// that can be read have a type.
func FuzzDescribe(f *testing.F) {
	f.Add(asProtobuf(f, "example.dev/v1", "Gadget"))
	f.Add(asUnknown(f, runtime.Unknown{Raw: []byte("x"), ContentType: "y"}))
	f.Add(asCBOR(f))
	f.Add([]byte(`{"kind":"Gadget","apiVersion":"v1"}`))
	f.Add([]byte("k8s:enc:x"))
	f.Add([]byte("k8s\x00\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, value []byte) {
		e := storage.Describe(value)
		typed := e.Encoding != storage.Encrypted && e.Encoding != storage.Opaque
		assert.Contains(t, []storage.Encoding{storage.Protobuf, storage.JSON, storage.CBOR, storage.YAML, storage.Encrypted, storage.Opaque}, e.Encoding)
		assert.True(t, typed || e.APIVersion == "" && e.Kind == "")
	})
}
