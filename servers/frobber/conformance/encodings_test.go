package conformance_test

import (
	"encoding/binary"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

const protobuf = "application/vnd.kubernetes.protobuf"

// number appends a field of protobuf that is a number.
func number(b []byte, tag, value uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(b, tag<<3), value)
}

// message appends a field that is a message or a text.
func message(b []byte, tag uint64, value []byte) []byte {
	b = binary.AppendUvarint(binary.AppendUvarint(b, tag<<3|2), uint64(len(value)))
	return append(b, value...)
}

// envelope is an object in protobuf as clients send it.
func envelope(t testing.TB, version, name string, spec []byte) string {
	t.Helper()
	metadata, err := (&metav1.ObjectMeta{Name: name}).Marshal()
	require.NoError(t, err)
	unknown := runtime.Unknown{
		TypeMeta: runtime.TypeMeta{APIVersion: "frobbing.example.com/" + version, Kind: "Frobber"},
		Raw:      message(message(nil, 1, metadata), 2, spec),
	}
	b, err := unknown.Marshal()
	require.NoError(t, err)
	return "k8s\x00" + string(b)
}

// encodings sends bodies in protobuf, with the tags of all releases and with such
// that nobody has, and reads them in every encoding.
func encodings(t *testing.T, l *lockstep) {
	t.Helper()
	base := message(number(nil, 1, 2), 2, []byte("p"))
	size := message(message(nil, 1, number(number(number(nil, 1, 2), 2, 3), 3, 4)), 2, []byte("p"))
	specs := map[string][]byte{
		"base": base, "width": number(base, 3, 7), "zero": number(base, 3, 0), "angle": number(base, 6, 30),
		"all":       number(number(number(message(base, 5, message(nil, 1, []byte("x"))), 3, 7), 4, 2), 6, 30),
		"nobodys":   message(number(base, 99, 5), 98, []byte("?")),
		"text":      message(base, 3, []byte("wide")),
		"truncated": base[:len(base)-1],
		"size":      size,
	}
	for _, version := range versions(t) {
		collection := "/apis/frobbing.example.com/" + version + "/namespaces/protobuf-" + version + "/frobbers"
		for name, spec := range specs {
			l.object(t, collection, name, envelope(t, version, name, spec))
		}
		l.same(t, request{verb: http.MethodPost, path: collection, contentType: protobuf, body: "k8s\x00junk"}, nil)
		l.same(t, request{verb: http.MethodGet, path: collection, accept: "text/html"}, nil)
		l.same(t, request{verb: http.MethodDelete, path: collection, accept: protobuf}, nil)
	}
}

// object creates, reads, replaces and scales an object, in protobuf.
func (l *lockstep) object(t testing.TB, collection, name, body string) {
	t.Helper()
	at := collection + "/" + name
	l.same(t, request{verb: http.MethodPost, path: collection + "?fieldValidation=Strict", contentType: protobuf, body: body}, nil)
	l.same(t, request{verb: http.MethodPost, path: collection, contentType: protobuf, accept: protobuf, body: body}, nil)
	l.get(t, at, protobuf, "application/yaml", "application/json;as=Table;v=v1;g=meta.k8s.io")
	l.same(t, request{verb: http.MethodPut, path: at, contentType: protobuf, accept: protobuf, body: body}, nil)
	l.same(t, request{verb: http.MethodPut, path: at + "/status", contentType: protobuf, body: body}, nil)
	l.same(t, request{verb: http.MethodPatch, path: at + "/scale", contentType: "application/merge-patch+json", accept: protobuf, body: `{"spec":{"replicas":3}}`}, nil)
	l.get(t, at+"/scale", protobuf)
}
