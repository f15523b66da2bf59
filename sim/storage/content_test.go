package storage_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/sim/storage"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// recorded are values that kube-apiserver v1.36.3 and v1.37.0 stored in a run.
func recorded(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("testdata/stored/*")
	require.NoError(t, err)
	all := map[string][]byte{}
	for _, name := range names {
		if filepath.Ext(name) == ".txt" {
			continue
		}
		all[name], err = os.ReadFile(name)
		require.NoError(t, err)
	}
	require.Len(t, all, 4)
	return all
}

func TestRecorded(t *testing.T) {
	for name, value := range recorded(t) {
		c := storage.Read(value)
		assert.Empty(t, c.Unread, name)
		if *update {
			require.NoError(t, os.WriteFile(name+".txt", []byte(c.String()+"\n"), 0o644))
		}
		want, err := os.ReadFile(name + ".txt")
		require.NoError(t, err)
		assert.Equal(t, string(want), c.String()+"\n", name)
		assert.Equal(t, storage.Read(value), c, "the same bytes give the same content")
		if c.Encoding == storage.Protobuf {
			assert.Equal(t, inside(t, value), encode(c.Fields), "%s: nothing is left out, and nothing read as what it is not", name)
		}
	}
}

// inside is what apimachinery finds in an envelope.
func inside(t testing.TB, value []byte) []byte {
	t.Helper()
	var u apiruntime.Unknown
	require.NoError(t, u.Unmarshal(value[4:]))
	return u.Raw
}

// encode writes fields as protobuf does.
func encode(fields []storage.Field) []byte {
	var b []byte
	for _, f := range fields {
		b = binary.AppendUvarint(b, uint64(f.ID)<<3|uint64(f.Wire))
		switch {
		case f.Wire == storage.Varint:
			b = binary.AppendUvarint(b, f.Number)
		case f.Wire == storage.Fixed64:
			b = binary.LittleEndian.AppendUint64(b, f.Number)
		case f.Wire == storage.Fixed32:
			b = binary.LittleEndian.AppendUint32(b, uint32(f.Number))
		case f.Form == storage.Message:
			b = appendBytes(b, encode(f.Fields))
		default:
			b = appendBytes(b, f.Bytes)
		}
	}
	return b
}

func appendBytes(to, content []byte) []byte {
	return append(binary.AppendUvarint(to, uint64(len(content))), content...)
}

// bytesField is a field of wire type Length.
func bytesField(id int, content []byte) []byte {
	return appendBytes(binary.AppendUvarint(nil, uint64(id)<<3|uint64(storage.Length)), content)
}

// stored wraps a message as an API server does.
func stored(t testing.TB, message []byte) []byte {
	return asUnknown(t, apiruntime.Unknown{TypeMeta: apiruntime.TypeMeta{APIVersion: "v1", Kind: "G"}, Raw: message})
}

// TestForms has, for the content of an envelope, the lines that describe it.
func TestForms(t *testing.T) {
	nested := stored(t, []byte("\x08\x05"))
	for name, c := range map[string]struct {
		message []byte
		want    []string
	}{
		"nothing":         {nil, nil},
		"numbers":         {[]byte("\x08\x05\x10\xac\x02"), []string{"1 = 5", "2 = 300"}},
		"a negative one":  {binary.AppendUvarint([]byte{8}, ^uint64(0)), []string{"1 = 18446744073709551615 (-1)"}},
		"fixed ones":      {[]byte("\x09\x01\x00\x00\x00\x00\x00\x00\x80\x15\x02\x00\x00\x00"), []string{"1 = fixed64 0x8000000000000001", "2 = fixed32 0x00000002"}},
		"text":            {bytesField(3, []byte("é\tx\n")), []string{`3 = "é\tx\n"`}},
		"a word":          {bytesField(3, []byte("x1")), []string{`3 = "x1"`}},
		"bytes":           {bytesField(3, []byte("\xff\xfe")), []string{"3 = bytes fffe"}},
		"empty":           {bytesField(3, nil), []string{`3 = ""`}},
		"a message":       {bytesField(3, bytesField(1, []byte("a"))), []string{`3.1 = "a"`}},
		"a readable one":  {bytesField(3, bytesField(1, bytes.Repeat([]byte("a"), 40))), []string{`3.1 = "` + strings.Repeat("a", 40) + `"`}},
		"text, a break":   {bytesField(3, []byte("\nA second line")), []string{`3 = "\nA second line"`}},
		"repeated":        {append(bytesField(4, []byte("a")), bytesField(4, []byte("b"))...), []string{`4 = "a"`, `4[1] = "b"`}},
		"stored inside":   {bytesField(5, nested), []string{"5 = stored protobuf v1 G", "5/1 = 5"}},
		"a prefix alone":  {bytesField(5, []byte("k8s\x00\xff")), []string{"5 = bytes 6b387300ff"}},
		"long text":       {bytesField(1, bytes.Repeat([]byte("a"), 2000)), []string{`1 = "` + strings.Repeat("a", 1024) + `"... (2000 bytes, sha256 c4a700f85b7e9e5cdbdc51170409ee2ad48bebe2f2f0957a067937531a0a3c42)`}},
		"not a message":   {[]byte("\xff\xff\xff"), []string{"unread: the 3 bytes inside its envelope are no protobuf message, or one that is cut short"}},
		"cut":             {bytesField(1, []byte("abc"))[:3], []string{"unread: the 3 bytes inside its envelope are no protobuf message, or one that is cut short"}},
		"field 0":         {[]byte("\x00\x01"), []string{"unread: the 2 bytes inside its envelope are no protobuf message, or one that is cut short"}},
		"a group":         {[]byte("\x0b\x0c"), []string{"unread: the 2 bytes inside its envelope are no protobuf message, or one that is cut short"}},
		"a length of all": {[]byte("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), []string{"unread: the 11 bytes inside its envelope are no protobuf message, or one that is cut short"}},
	} {
		assert.Equal(t, append([]string{"protobuf v1 G"}, c.want...), storage.Read(stored(t, c.message)).Lines(), name)
	}
}

// TestUnread: unreadable content is reported in words.
func TestUnread(t *testing.T) {
	zipped := asUnknown(t, apiruntime.Unknown{Raw: []byte("\x1f\x8b"), ContentEncoding: "gzip"})
	const opaque = "it is neither protobuf, JSON nor CBOR as an API server writes them, or it is cut short"
	for name, c := range map[string]struct {
		value []byte
		want  string
	}{
		"nothing":      {nil, opaque},
		"a number":     {[]byte("17"), opaque},
		"cut":          {recorded(t)["testdata/stored/deployment"][:400], opaque},
		"cut JSON":     {recorded(t)["testdata/stored/apiservice"][:400], opaque},
		"JSON, a list": {[]byte(`[1]`), opaque},
		"encoded":      {zipped, `it is encoded as "gzip"`},
		"encrypted":    {[]byte("k8s:enc:aescbc:v1:key1:\x01"), "it is encrypted, and the key is the server's"},
		"too large":    {make([]byte, 16<<20+1), "16777217 bytes, and at most 16777216 are read"},
		"many members": {[]byte(`{"a":[` + strings.Repeat("0,", 300000) + `0]}`), "it has some 300002 members, and at most 262144 are read"},
		"cut CBOR":     {asCBOR(t)[:12], "unexpected EOF"},
	} {
		got := storage.Read(c.value)
		assert.Equal(t, c.want, got.Unread, name)
		assert.Nil(t, got.Object, name)
		assert.Contains(t, got.Lines(), "unread: "+c.want, name)
	}
}

func TestObjects(t *testing.T) {
	for name, value := range map[string][]byte{
		"JSON": []byte(`{"kind":"Gadget","apiVersion":"v1"}`), "CBOR": asCBOR(t),
	} {
		assert.Equal(t, map[string]any{"kind": "Gadget", "apiVersion": "v1"}, storage.Read(value).Object, name)
	}
	assert.Equal(t, []string{"json v1 G", "{", ` "apiVersion": "v1",`, ` "kind": "G",`, ` "n": 9007199254740993`, "}"},
		storage.Read([]byte(`{"n":9007199254740993,"kind":"G","apiVersion":"v1"}`)).Lines())
}

// hostile are values that would take much of whoever believes them.
func hostile(t testing.TB) map[string][]byte {
	deep, inner := []byte("\x08\x01"), []byte("\x08\x01")
	for range 300 {
		deep, inner = bytesField(1, deep), stored(t, bytesField(1, inner))
	}
	flat := bytes.Repeat([]byte("\x08\x01"), 5<<20)
	boxes := stored(t, bytes.Repeat([]byte("x"), 10<<20))
	for range 30 {
		boxes = stored(t, bytesField(1, boxes))
	}
	return map[string][]byte{
		"deep":             stored(t, deep),
		"deep envelopes":   inner,
		"many fields":      stored(t, flat),
		"many below":       stored(t, bytesField(1, flat)),
		"large envelopes":  boxes,
		"deep lists":       []byte(`{"a":` + strings.Repeat("[", 5<<20)),
		"deep maps":        []byte(strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000)),
		"one long text":    []byte(`{"a":"` + strings.Repeat("x", 10<<20) + `"}`),
		"garbage":          bytes.Repeat([]byte("\xd9\xd9\xf7\x9f"), 4<<20),
		"a lie of lengths": stored(t, bytes.Repeat([]byte("\x0a\xff\xff\xff\x7f"), 1<<20)),
		"CBOR of lengths":  []byte("\xd9\xd9\xf7\xbb\xff\xff\xff\xff\xff\xff\xff\xff"),
	}
}

// TestHostile holds what a hostile value may take: no more than some hundred
// MiB, garbage included, and an answer.
func TestHostile(t *testing.T) {
	values := hostile(t)
	for name, value := range values {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c := storage.Read(value)
		runtime.ReadMemStats(&after)
		assert.Less(t, (after.TotalAlloc-before.TotalAlloc)>>20, uint64(128), "%s: MiB", name)
		assert.NotEmpty(t, c.Lines(), name)
	}
	for name, want := range map[string]string{
		"deep":           "it is nested deeper than 64: what is further down is left as bytes",
		"deep envelopes": "it is nested deeper than 64: what is further down is left as bytes",
		"many below":     "it has more than 262144 fields: some are left as bytes",
	} {
		assert.Equal(t, want, storage.Read(values[name]).Unread, name)
	}
}

// FuzzRead holds that whatever is stored is read without a panic, in the same
// way each time, and that what is read of protobuf is all that is there.
func FuzzRead(f *testing.F) {
	for _, value := range recorded(f) {
		f.Add(value)
		f.Add(value[:len(value)/2])
	}
	f.Add(stored(f, bytesField(5, stored(f, []byte("\x08\x05")))))
	f.Add(stored(f, []byte("\x09\x01\x00\x00\x00\x00\x00\x00\x80\x15\x02\x00\x00\x00\x0b\x0c")))
	f.Add([]byte("k8s\x00\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Add(asCBOR(f))
	f.Add([]byte("k8s:enc:x"))
	f.Add([]byte(`{"a":1e999,"b":[{}]}`))
	f.Fuzz(func(t *testing.T, value []byte) {
		c := storage.Read(value)
		assert.Equal(t, c.Lines(), storage.Read(value).Lines())
		assert.Equal(t, storage.Describe(value), c.Envelope)
		if c.Encoding != storage.Protobuf {
			return
		}
		var u apiruntime.Unknown
		if assert.NoError(t, u.Unmarshal(value[4:]), "apimachinery reads what is read here") {
			assert.Equal(t, fmt.Sprint(u.APIVersion, " ", u.Kind), fmt.Sprint(c.APIVersion, " ", c.Kind))
			if again := storage.Read(stored(t, encode(c.Fields))); c.Unread == "" {
				assert.Equal(t, len(c.Fields), len(again.Fields))
				assert.Equal(t, encode(c.Fields), encode(again.Fields))
			}
		}
	})
}
