package apiserver_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
)

const protobuf = "application/vnd.kubernetes.protobuf"

// fields takes a message apart without knowing what it is.
func fields(t *testing.T, b []byte) map[protowire.Number][]byte {
	t.Helper()
	all := map[protowire.Number][]byte{}
	for len(b) > 0 {
		number, wire, n := protowire.ConsumeTag(b)
		require.Positive(t, n)
		b = b[n:]
		n = protowire.ConsumeFieldValue(number, wire, b)
		require.Positive(t, n)
		all[number] = b[:n]
		if wire == protowire.BytesType {
			all[number], _ = protowire.ConsumeBytes(b)
		}
		b = b[n:]
	}
	return all
}

// envelope takes what is around a message in Kubernetes: its kind and itself.
func envelope(t *testing.T, b []byte) (kind string, message []byte) {
	t.Helper()
	require.True(t, bytes.HasPrefix(b, []byte("k8s\x00")), "%q", b)
	outer := fields(t, b[4:])
	inner := fields(t, outer[1])
	return string(inner[1]) + " " + string(inner[2]), outer[2]
}

// enveloped makes a body of a spec.
func enveloped(spec []byte) []byte {
	block := func(b []byte, number protowire.Number, value []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), value)
	}
	meta := block(nil, 1, []byte("binary"))
	kind := block(block(nil, 1, []byte("frobbing.example.com/v6")), 2, []byte("Frobber"))
	return append([]byte("k8s\x00"), block(block(nil, 1, kind), 2, block(block(nil, 1, meta), 2, spec))...)
}

func number(b []byte, n protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), v)
}

func TestSmokeProtobufBodies(t *testing.T) {
	s := newKernel(t).start(t, "1.1")
	create := func(b []byte) answer {
		a, err := s.try("POST", v6, protobuf, b, "Accept: application/json")
		require.NoError(t, err)
		return a
	}
	o := create(enveloped(number(number(nil, 1, 3), 3, 2))).json(t, http.StatusCreated)
	assert.Equal(t, map[string]any{"height": 3., "param": "", "replicas": 1., "width": 2.}, o["spec"])
	o = create(enveloped(number(nil, 2, 3))).json(t, 400)
	assert.Contains(t, o["message"], "proto: wrong wireType = 0 for field Param")

	kind, message := envelope(t, s.do("GET", v6+"/binary", "", "Accept: "+protobuf).body)
	assert.Equal(t, "frobbing.example.com/v6 Frobber", kind)
	spec := fields(t, fields(t, message)[2])
	assert.Equal(t, map[protowire.Number][]byte{1: {3}, 2: {}, 3: {2}, 4: {1}}, spec)
	assert.Equal(t, []byte{6}, fields(t, fields(t, message)[3])[1], "the area")

	kind, message = envelope(t, s.do("GET", v6, "", "Accept: "+protobuf).body)
	assert.Equal(t, "frobbing.example.com/v6 FrobberList", kind)
	assert.Equal(t, spec, fields(t, fields(t, fields(t, message)[2])[2]))
}

func TestSmokeYAMLBodies(t *testing.T) {
	s := newKernel(t).start(t, "1.1")
	const text = "apiVersion: frobbing.example.com/v6\nkind: Frobber\nmetadata: {name: yaml}\nspec: {height: 4, parts: [{name: a}]}\n"
	o := s.do("POST", v6, text, "Content-Type: application/yaml", "Accept: application/json").json(t, http.StatusCreated)
	assert.Equal(t, 4., at(o, "spec", "height"))
	assert.Contains(t, string(s.do("GET", v6+"/yaml", "", "Accept: application/yaml").body), "\nspec:\n  height: 4\n")
}

// TestSmokeStorage: what is stored is of the version and encoding asked for, what was
// stored in another is read all the same, and nothing else is in the store.
func TestSmokeStorage(t *testing.T) {
	k := newKernel(t)
	for i, c := range []struct {
		release string
		flags   []string
		begins  string
		holds   string
	}{
		{"1.0", nil, `{"kind":"Frobber","apiVersion":"frobbing.example.com/v6"`, `"height":1`},
		{"1.1", []string{"--storage-media-type=" + protobuf}, "k8s\x00", "frobbing.example.com/v6"},
		{"1.3", []string{"--storage-version=v7beta1"}, `{"kind":"Frobber","apiVersion":"frobbing.example.com/v7beta1"`, `"size":{"height":1`},
		{"1.4", []string{"--storage-version=v6"}, `{"kind":"Frobber","apiVersion":"frobbing.example.com/v6"`, `"height":1`},
	} {
		s := k.start(t, c.release, c.flags...)
		name := fmt.Sprintf("s%d", i)
		s.create(name, `{"height":1,"param":"p"}`)
		value := string(k.stored(t)["/registry/frobbing.example.com/frobbers/default/"+name])
		assert.True(t, strings.HasPrefix(value, c.begins), "%s: %q", c.release, value)
		assert.Contains(t, value, c.holds, c.release)
		for j := range i + 1 {
			assert.Equal(t, 1., at(s.do("GET", fmt.Sprintf("%s/s%d", v6, j), "").json(t, 200), "spec", "height"))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(k.stored(t))) {
		assert.True(t, strings.HasPrefix(key, "/registry/frobbing.example.com/frobbers/default/s"), key)
	}
	o := k.start(t, "1.0", "--etcd-prefix=/elsewhere").create("s0", `{}`)
	assert.Equal(t, "s0", at(o, "metadata", "name"))
	assert.Contains(t, k.stored(t), "/elsewhere/frobbing.example.com/frobbers/default/s0")
}

// TestSmokeUndecodable: a release that does not serve a version cannot read what is
// stored in it, and says so as kube-apiserver does.
func TestSmokeUndecodable(t *testing.T) {
	k := newKernel(t)
	k.start(t, "1.4").create("later", `{"height":1}`)
	s := k.start(t, "1.2")
	assert.Contains(t, s.do("GET", v6+"/later", "").json(t, 500)["message"], `no kind "Frobber" is registered for version "frobbing.example.com/v7beta1"`)
	assert.Equal(t, 500, s.do("GET", v6+"?limit=500", "").code)
	assert.Equal(t, 429, s.do("GET", v6, "").code, "the watch cache never fills")
}

// TestSmokeBadBodies: releases answer what is wrong in all of them with the same
// bytes, whatever their Go types are called.
func TestSmokeBadBodies(t *testing.T) {
	k := newKernel(t)
	bad := func(s *server) (all []string) {
		for _, spec := range []string{
			`"x"`, `{"height":"x"}`, `{"param":1}`, `{"parts":{}}`, `{"parts":[{"name":1}]}`, `{"parts":["x"]}`, `{"replicas":1.5}`,
			`{"depth":1}`, `{"height":1,"height":2}`, `{"height":-1}`, `{`,
		} {
			all = append(all, string(s.do("POST", v6+"?fieldValidation=Strict", body("bad", spec)).body))
		}
		all = append(all, string(s.do("POST", v6, `{"apiVersion":"frobbing.example.com/v6","kind":"Frobber","status":7}`).body))
		for _, c := range [][2]string{{mergePatch, `{"spec":{"height":"x"}}`}, {strategicPatch, `{"spec":{"height":"x"}}`}, {jsonPatch, `[{"op":"add","path":"/spec/parts","value":1}]`}} {
			text := string(s.patch(v6+"/good", c[0], c[1]).body)
			if _, problem, found := strings.Cut(text, "json: "); found { // before it is the object, which differs
				text, _, _ = strings.Cut(problem, `"`)
			}
			all = append(all, text)
		}
		return all
	}
	first := k.start(t, "1.0")
	first.create("good", `{"height":1}`)
	want := bad(first)
	assert.Contains(t, want[0], "cannot unmarshal string into Go struct field Frobber.spec of type FrobberSpec")
	assert.Contains(t, want[1], "cannot unmarshal string into Go struct field FrobberSpec.spec.height of type int32")
	assert.Contains(t, want[5], "cannot unmarshal string into Go struct field FrobberSpec.spec.parts of type Part")
	for _, release := range []string{"1.1", "1.2", "1.3", "1.4"} {
		for i, got := range bad(k.start(t, release)) {
			assert.Equal(t, want[i], got, release)
		}
	}
	for _, text := range want {
		assert.NotContains(t, text, "train.")
		assert.NotContains(t, text, "object.")
	}
}
