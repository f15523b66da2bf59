package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// program is a release's clients that mark every object that they carry. Its protobuf is
// JSON behind the magic bytes.
type program struct {
	has    []string // kinds
	chokes string   // on what it cannot decode
	fails  error
}

var packed = []byte("k8s\x00")

func (p program) Origin() (version, digest string) { return "v1.2.3", "d" }

func (p program) Substituted() []string { return nil }

func (p program) Types(_ context.Context, apiVersion, kind string) (client.Types, bool, error) {
	return p, slices.Contains(p.has, apiVersion+" "+kind), nil
}

func (p program) Carry(_ context.Context, body []byte, from, to term.Encoding) ([]byte, error) {
	if p.fails != nil {
		return nil, p.fails
	}
	if from == term.Protobuf {
		body = bytes.TrimPrefix(body, packed)
	}
	if p.chokes != "" && strings.Contains(string(body), p.chokes) {
		return nil, &client.UnfitError{Err: errors.New("cannot unmarshal it")}
	}
	var object map[string]any
	if err := json.Unmarshal(body, &object); err != nil {
		return nil, &client.UnfitError{Err: err}
	}
	object["carried"] = true
	raw, err := json.Marshal(object)
	if to == term.Protobuf {
		raw = append(bytes.Clone(packed), raw...)
	}
	return raw, err
}

func (p program) Diff(context.Context, []byte, []byte, types.PatchType) ([]byte, error) {
	return []byte(`{"diff":1}`), p.fails
}

func (p program) Apply(_ context.Context, manifest []byte) ([]byte, error) {
	return manifest, &client.UnfitError{Err: errors.New("no apply configuration of it")}
}

func (p program) Extract(context.Context, []byte, string) ([]byte, error) { return nil, p.fails }

// typed runs a plan of one line with real clients of the old release.
func typed(t *testing.T, line string, p program, answer func(place, method, path string) (int, string)) ([]history.Operation, *history.History) {
	t.Helper()
	w := runtest.NewWorld(t)
	w.Answer = answer
	c := config(t, w, runtest.SmallPlan(t, playing(line)))
	c.Clients = map[term.Role]client.Program{term.Old: p}
	require.NoError(t, Run(runtest.Bounded(t), c), line)
	return ofStep(t, c)
}

// TestPrograms: objects are carried by real types if there are any, and the record says
// whose types.
func TestPrograms(t *testing.T) {
	const line = "{touch: x, via: old, client: old-typed}"
	for kind, want := range map[string]history.Typed{
		"example.dev/v1 Gadget": {Version: "v1.2.3", Digest: "d"},
		"example.dev/v1 Other":  {Version: "v1.2.3", Digest: "d", Approximate: []string{"example.dev/v1 Gadget"}},
	} {
		operations, h := typed(t, line, program{has: []string{kind}}, nil)
		act := operations[1].Exchange
		require.Equal(t, "PUT", act.Method)
		assert.Equal(t, want.Approximate == nil, h.Object(act.Sent)["carried"] == true, kind)
		assert.Equal(t, &want, h.Releases[term.Old].Typed, kind)
		assert.Nil(t, h.Releases[term.New].Typed, "no client of it is in the plan")
	}
	_, h := played(t, line, nil)
	assert.Equal(t, &history.Typed{Approximate: []string{"example.dev/v1 Gadget"}}, h.Releases[term.Old].Typed)
}

// TestProtobuf: bodies are recorded as they were sent, and as the client's types decode
// them.
func TestProtobuf(t *testing.T) {
	const object = `{"kind":"Gadget","metadata":{"name":"x-treated-001","resourceVersion":"12"},"spec":{"size":2}}`
	answer := func(_, method, path string) (int, string) {
		if strings.HasSuffix(path, "/x-treated-001") {
			return 200, string(packed) + object
		}
		return 0, ""
	}
	operations, h := typed(t, "{touch: x, via: old, client: old-typed, encoding: protobuf}", program{has: []string{"example.dev/v1 Gadget"}}, answer)
	read, act := operations[0].Exchange, operations[1].Exchange
	assert.Equal(t, "application/vnd.kubernetes.protobuf", act.ContentType)
	for digest, text := range map[string]string{read.AnswerBytes: object, act.AnswerBytes: object} {
		assert.Equal(t, string(packed)+text, string(h.Body(digest).Bytes))
	}
	assert.True(t, bytes.HasPrefix(h.Body(act.SentBytes).Bytes, packed))
	assert.Empty(t, read.SentBytes)
	for _, digest := range []string{read.Answer, act.Sent, act.Answer} {
		assert.Equal(t, true, h.Object(digest)["carried"])
	}
	assert.Equal(t, int64(12), read.Revision)
	assert.Equal(t, int64(12), act.Revision)
}

// TestUndecodable: a client that cannot decode what it reads writes nothing; both are
// recorded.
func TestUndecodable(t *testing.T) {
	undecodable := func(_, method, path string) (int, string) {
		if method == "GET" && strings.HasSuffix(path, "/x-treated-001") {
			return 200, "<html>"
		}
		return 0, ""
	}
	operations, h := typed(t, "{touch: x, via: old, client: old-typed}", program{has: []string{"example.dev/v1 Gadget"}}, undecodable)
	require.Len(t, operations, 1)
	assert.Contains(t, operations[0].Undecoded, "old-typed cannot decode the answer: invalid character '<'")
	assert.Equal(t, "<html>", string(h.Body(operations[0].Exchange.Answer).Bytes))
	require.Len(t, h.Skips, 1)
	assert.Contains(t, h.Skips[0].Reason, "old-typed cannot: invalid character '<'")
}

// TestUndecodableAnswer: an answer to a write that its client cannot decode still counts as
// an answer.
func TestUndecodableAnswer(t *testing.T) {
	for _, line := range []string{"{get: x, via: old, client: old-typed}", "{touch: x, via: old, client: old-typed, verb: merge-patch}"} {
		undecodable := func(_, method, path string) (int, string) {
			if method != "POST" && strings.HasSuffix(path, "/x-treated-001") {
				return 200, "<html>"
			}
			return 0, ""
		}
		operations, h := typed(t, line, program{has: []string{"example.dev/v1 Gadget"}}, undecodable)
		assert.Contains(t, operations[0].Undecoded, "old-typed cannot decode the answer", line)
		assert.Equal(t, 200, operations[0].Exchange.Code)
		assert.Empty(t, h.Skips)
	}
}

// TestUndecodableItem: a client that cannot decode one item of a LIST gets none of it. One
// without types decodes all.
func TestUndecodableItem(t *testing.T) {
	for line, want := range map[string]string{
		"{list: x, via: old, client: old-typed}": "old-typed cannot decode the answer: item x-untouched-001: cannot unmarshal it",
		"{list: x, via: old}":                    "",
		"{get: x, via: old, client: old-typed}":  "", // another copy
	} {
		operations, h := typed(t, line, program{has: []string{"example.dev/v1 Gadget"}, chokes: "x-untouched-001"}, nil)
		require.Len(t, operations, 1, line)
		assert.Empty(t, h.Skips, line)
		assert.Equal(t, want, operations[0].Undecoded, line)
		assert.Equal(t, 200, operations[0].Exchange.Code, line)
		assert.Equal(t, want == "", operations[0].Done(), line)
	}
}

// TestSkippedByTypes: a request that a client's types cannot make is reported with the
// reason.
func TestSkippedByTypes(t *testing.T) {
	gadgets := program{has: []string{"example.dev/v1 Gadget"}}
	for line, c := range map[string]struct {
		program program
		reason  string
	}{
		"{touch: x, via: old, client: old-apply}":                             {gadgets, "old-apply cannot: no apply configuration of it"},
		"{touch: x, via: old, client: old-typed, encoding: protobuf}":         {program{}, "old-typed cannot: types that are approximated by a schema have no protobuf"},
		"{touch: x, via: old, client: old-apply, verb: extract-apply}":        {program{}, "old-apply cannot: a client without apply configurations of the kind extracts nothing"},
		"{set: x, via: old, verb: put, fields: {'.metadata.name.deeper': 1}}": {gadgets, `dynamic cannot: set .metadata.name.deeper: path ".metadata.name.deeper": ".metadata.name" is a string, not a map`},
	} {
		_, h := typed(t, line, c.program, nil)
		require.Len(t, h.Skips, 1, line)
		assert.Equal(t, c.reason, h.Skips[0].Reason)
	}
}

// TestProgramEnds: without its clients a run cannot continue.
func TestProgramEnds(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, playing("{touch: x, via: old, client: old-typed}")))
	c.Clients = map[term.Role]client.Program{term.Old: program{has: []string{"example.dev/v1 Gadget"}, fails: errors.New("the program ended")}}
	assert.ErrorContains(t, Run(runtest.Bounded(t), c), "the program ended")
	assert.Empty(t, w.Left())
}

// TestAnotherVersion: the operation goes through the version that its line names; the GETs
// afterwards use the manifest's.
func TestAnotherVersion(t *testing.T) {
	const v2 = "/apis/example.dev/v2"
	other := func(_, method, path string) (int, string) {
		switch {
		case path == v2:
			return 200, `{"resources":[{"name":"gadgets","kind":"Gadget","namespaced":true}]}`
		case path == "/openapi/v3"+v2:
			return 200, `{"components":{"schemas":{}}}`
		case strings.HasPrefix(path, v2):
			return 200, `{"apiVersion":"example.dev/v2","kind":"Gadget","metadata":{"name":"x-treated-001"}}`
		}
		return 0, ""
	}
	operations, h := played(t, "{touch: x, via: old, apiVersion: example.dev/v2}", other)
	var paths []string
	for _, o := range operations {
		paths = append(paths, string(o.Purpose)+" "+strings.Split(o.Exchange.Path, "/")[3])
	}
	assert.Equal(t, []string{"read v2", "act v2", "look v1"}, paths)
	assert.Equal(t, "example.dev/v2", h.Object(operations[1].Exchange.Sent)["apiVersion"])
	assert.Len(t, h.Releases[term.Old].Resources, 1, "what only a step goes through is listed nowhere")
}

// TestAppliedThroughAnotherVersion: an apply sends the file unchanged, and gives up the
// fields that it does not send. Through a version that lacks fields of the file it is
// skipped; through one that has them, or with another verb, it is not.
func TestAppliedThroughAnotherVersion(t *testing.T) {
	const v2 = "/apis/example.dev/v2"
	document := runtest.OpenAPI("v1")
	play := func(verb, field string) *history.History {
		_, h := played(t, "{touch: x, via: old, apiVersion: example.dev/v2, verb: "+verb+"}", func(_, _, path string) (int, string) {
			switch {
			case path == v2:
				return 200, `{"resources":[{"name":"gadgets","kind":"Gadget","namespaced":true}]}`
			case path == "/openapi/v3"+v2:
				return 200, strings.NewReplacer("v1", "v2", `"size"`, `"`+field+`"`).Replace(string(document))
			case strings.HasPrefix(path, v2):
				return 200, `{"apiVersion":"example.dev/v2","kind":"Gadget","metadata":{"name":"x-treated-001"}}`
			}
			return 0, ""
		})
		return h
	}
	for _, verb := range []string{"apply", "client-side-apply"} {
		h := play(verb, "extent")
		require.Len(t, h.Skips, 1, verb)
		assert.Equal(t, "the manifest is of another version, and an apply sends it as it stands: example.dev/v2 has no .spec.size", h.Skips[0].Reason)
		assert.Empty(t, play(verb, "size").Skips, verb)
	}
	assert.Empty(t, play("put", "extent").Skips)
}

// TestOffered: a verb or subresource that a kind does not offer is not requested.
func TestOffered(t *testing.T) {
	offering := func(_, _, path string) (int, string) {
		if path == "/apis/example.dev/v1" {
			return 200, `{"resources":[{"name":"gadgets","kind":"Gadget","namespaced":true,"verbs":["create","get","list"]}]}`
		}
		return 0, ""
	}
	for line, reason := range map[string]string{
		"{touch: x, via: old}":                           "v1 offers no update of Gadget",
		"{touch: x, via: old, verb: merge-patch}":        "v1 offers no patch of Gadget",
		"{touch: x, via: old, verb: apply}":              "v1 offers no patch of Gadget",
		"{delete: x, via: old}":                          "v1 offers no delete of Gadget",
		"{delete: x, via: old, verb: delete-collection}": "v1 offers no deletecollection of Gadget",
		"{get: x, via: old}":                             "",
		"{list: x, via: old}":                            "",
	} {
		_, h := played(t, line, offering)
		if reason == "" {
			assert.Empty(t, h.Skips, line)
			continue
		}
		require.Len(t, h.Skips, 1, line)
		assert.Equal(t, reason, h.Skips[0].Reason)
	}
}
