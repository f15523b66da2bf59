package conformance_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A sequence has one request per line, in testdata/sequences:
//
//	create a BODY          POST of an object called a
//	put a BODY             the same as PUT; a/status and a/scale too
//	merge a BODY           a PATCH: json, merge, strategic or apply
//	get a, list, delete a [BODY], deletecollection
//	send VERB a TYPE TEXT  a body as it is, of that content type; - for no name
//
// A query follows the name (a?dryRun=All), or the verb if there is no name (list?limit=1).
// Whole objects get their apiVersion, kind and name if the body has none; $rv and $uid are
// replaced by the latest values of the object, $oldrv by its first resourceVersion. In the body
// of send, $gv, $kind and $height are replaced by the side's names, and $rest by the other
// fields of a valid spec.

// sequences returns the names of all sequences.
func sequences(t testing.TB) (names []string) {
	t.Helper()
	files, err := filepath.Glob("testdata/sequences/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".txt"))
	}
	return names
}

// sequence returns the lines of a sequence.
func sequence(t testing.TB, name string) []string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata/sequences", name+".txt"))
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(content)), "\n")
}

// step is one parsed line.
type step struct {
	line         string
	verb, method string
	name, query  string // name with the subresource
	contentType  string
	body         string
}

func parseStep(line string) step {
	words := strings.SplitN(line, " ", 3)
	s := step{line: line, verb: words[0]}
	if s.verb == "send" {
		words = append(strings.SplitN(line, " ", 5), "")
		s.method, words, s.contentType = words[1], append([]string{""}, words[2], words[4]), words[3]
	}
	at := &s.name
	if len(words) == 1 {
		at = &s.verb
	} else {
		*at = words[1]
	}
	*at, s.query, _ = strings.Cut(*at, "?")
	if len(words) == 3 {
		s.body = words[2]
	}
	s.kind()
	return s
}

// kind sets the method and the content type of the verb.
func (s *step) kind() {
	switch s.verb {
	case "send":
	case "create":
		s.method = http.MethodPost
	case "put":
		s.method = http.MethodPut
	case "get", "list":
		s.method = http.MethodGet
	case "delete", "deletecollection":
		s.method = http.MethodDelete
	default:
		s.method, s.contentType = http.MethodPatch, patchTypes[s.verb]
		if s.contentType == "" {
			panic("no such verb: " + s.line)
		}
	}
}

var patchTypes = map[string]string{
	"json": "application/json-patch+json", "merge": "application/merge-patch+json",
	"strategic": "application/strategic-merge-patch+json", "apply": "application/apply-patch+yaml",
}

// player plays a sequence on one side.
type player struct {
	*server
	side
	namespace string
	seen      map[string]*identity // by name
}

func newPlayer(on *server, as side, namespace string) *player {
	return &player{server: on, side: as, namespace: namespace, seen: map[string]*identity{}}
}

// identity is what a server gave an object: its first version too, and what it holds.
type identity struct{ uid, version, first, state, times string }

func (p *player) collection() string {
	return "/apis/" + p.groupVersion + "/namespaces/" + p.namespace + "/" + p.resource
}

func (p *player) request(t testing.TB, s step) request {
	t.Helper()
	r := request{verb: s.method, path: p.collection(), contentType: s.contentType, body: p.fill(s)}
	if s.verb != "send" && s.body != "" {
		r.body = p.translate(t, s, r.body)
	}
	if s.name != "" && s.name != "-" && s.verb != "create" {
		r.path += "/" + s.name
	}
	if s.query != "" {
		r.path += "?" + s.query
	}
	return r
}

// fill replaces the variables by the side's values.
func (p *player) fill(s step) string {
	name, _, _ := strings.Cut(s.name, "/")
	id := p.seen[name]
	if id == nil {
		id = &identity{}
	}
	return strings.NewReplacer("$rv", id.version, "$oldrv", id.first, "$uid", id.uid, "$newline", "\n",
		"$gv", p.groupVersion, "$kind", p.kind, "$height", p.height, "$rest", p.rest).Replace(s.body)
}

func (p *player) translate(t testing.TB, s step, text string) string {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(text), &v), s.line)
	if ops, ok := v.([]any); ok {
		v = p.ops(ops)
	} else {
		v = p.body(s.complete(v), s.whole())
	}
	out, err := json.Marshal(v)
	require.NoError(t, err)
	return string(out)
}

// whole reports whether the body is a whole object rather than a change.
func (s step) whole() bool {
	_, sub, _ := strings.Cut(s.name, "/")
	return sub != "scale" && (s.verb == "create" || s.verb == "put" || s.verb == "apply" && sub == "")
}

// complete sets an object's type and name.
func (s step) complete(v any) any {
	m, ok := v.(map[string]any)
	name, sub, _ := strings.Cut(s.name, "/")
	if !ok || sub == "scale" || !s.whole() && s.verb != "apply" {
		return v
	}
	if m["metadata"] == nil {
		m["metadata"] = map[string]any{}
	}
	if metadata, ok := m["metadata"].(map[string]any); ok {
		if metadata["name"] == nil && metadata["generateName"] == nil {
			metadata["name"] = name
		}
		if s.whole() {
			mark(metadata)
		}
	}
	for key, value := range map[string]string{"apiVersion": asFrobber().groupVersion, "kind": asFrobber().kind} {
		if m[key] == nil {
			m[key] = value
		}
	}
	return m
}

// mark adds a constant annotation. A client that sends a whole ReplicaSet also owns the fields
// that a ReplicaSet requires; with the annotation it owns something of a Frobber as well.
func mark(metadata map[string]any) {
	if metadata["annotations"] == nil {
		metadata["annotations"] = map[string]any{}
	}
	if annotations, ok := metadata["annotations"].(map[string]any); ok {
		annotations["whole"] = "yes"
	}
}

// play sends one step and returns the outcome.
func (p *player) play(t testing.TB, s step) outcome {
	t.Helper()
	a := p.must(t, p.request(t, s))
	name, _, _ := strings.Cut(s.name, "/")
	return p.read(t, a, name)
}

// know records the identity and the state that the server gave an object, and reports whether
// its version has changed. Where nothing did but the times of managed fields, in whole seconds,
// it depends on the clock whether the server stores them, and that is no change.
func (p *player) know(name string, object map[string]any) (moved bool) {
	metadata, _ := object["metadata"].(map[string]any)
	now := &identity{uid: fmt.Sprint(metadata["uid"]), version: fmt.Sprint(metadata["resourceVersion"])}
	now.first = now.version
	now.state, now.times = timeless(object)
	before := p.seen[name]
	p.seen[name] = now
	if before == nil || before.uid != now.uid {
		return true
	}
	now.first = before.first
	onlyTimes := now.state == before.state && now.times != before.times
	return before.version != now.version && !onlyTimes
}

// timeless gives what an object holds without its version and the times of its managed fields,
// and these times.
func timeless(object map[string]any) (state, times string) {
	metadata, _ := object["metadata"].(map[string]any)
	bare := maps.Clone(metadata)
	delete(bare, "resourceVersion")
	var owners, seconds []string
	entries, _ := bare["managedFields"].([]any)
	for _, entry := range entries {
		owner := maps.Clone(entry.(map[string]any))
		seconds = append(seconds, fmt.Sprint(owner["manager"], owner["operation"], owner["subresource"], owner["time"]))
		delete(owner, "time")
		owners = append(owners, fmt.Sprint(owner))
	}
	slices.Sort(owners) // which times order
	slices.Sort(seconds)
	bare["managedFields"] = owners
	whole := maps.Clone(object)
	whole["metadata"] = bare
	return fmt.Sprint(whole), fmt.Sprint(seconds)
}
