package conformance_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// outcome is an answer in words that both sides share.
type outcome struct {
	Code     int
	Type     string // the media type
	Warnings []string
	Body     any      // without what no two servers agree on
	Owners   []string // of managed fields, a line for each manager
	Moved    bool     // whether the object has another resourceVersion than before, and not for the clock's sake alone
}

// read translates an answer.
func (p *player) read(t testing.TB, a answer, name string) outcome {
	t.Helper()
	o := outcome{Code: a.code, Type: a.header.Get("Content-Type")}
	for _, w := range a.warnings {
		o.Warnings = append(o.Warnings, p.text.Replace(w))
	}
	var body map[string]any
	require.NoError(t, json.Unmarshal(a.body, &body), "%d %s", a.code, a.body)
	metadata, _ := body["metadata"].(map[string]any)
	if metadata["uid"] != nil {
		o.Moved = p.know(name, body)
		o.Owners = p.owners(metadata["managedFields"])
	}
	if items, ok := body["items"].([]any); ok {
		for _, item := range items {
			p.object(item.(map[string]any))
		}
	}
	p.object(body)
	o.Body = p.words(body)
	return o
}

// events gives what a watch of all namespaces shows, from the first object on.
func (p *player) events(t testing.TB) (all []outcome) {
	t.Helper()
	path := "/apis/" + p.groupVersion + "/" + p.resource
	a := p.must(t, request{verb: http.MethodGet, path: path + "?watch=1&resourceVersion=1&timeoutSeconds=1"})
	for _, line := range strings.Split(strings.TrimSpace(string(a.body)), "\n") {
		var event struct {
			Type   string
			Object json.RawMessage
		}
		require.NoError(t, json.Unmarshal([]byte(line), &event), "%s", a.body)
		var object struct{ Metadata struct{ UID string } }
		require.NoError(t, json.Unmarshal(event.Object, &object), "%s", event.Object)
		o := p.read(t, answer{code: a.code, header: a.header, body: event.Object}, object.Metadata.UID)
		if event.Type == "MODIFIED" && !o.Moved {
			continue // only the clock decided that there is such an event
		}
		o.Type = event.Type
		all = append(all, o)
	}
	return all
}

// object translates an object's spec, and takes away what is different in any two
// runs.
func (p *player) object(body map[string]any) {
	if spec, ok := body["spec"].(map[string]any); ok {
		body["spec"] = p.spec(spec)
	}
	metadata, _ := body["metadata"].(map[string]any)
	if message, ok := body["message"].(string); ok {
		if strings.HasPrefix(message, "Apply failed with ") { // fields in the order of their names
			lines := strings.Split(p.text.Replace(message), "\n")
			slices.Sort(lines)
			message = strings.Join(lines, "\n")
		}
		body["message"] = regexp.MustCompile(`(record \(|object meta: |Key: )[^ ,)]+`).ReplaceAllString(message, "${1}some")
	}
	for _, key := range []string{"uid", "creationTimestamp", "resourceVersion", "deletionTimestamp", "continue"} {
		if metadata[key] != nil {
			metadata[key] = "some"
		}
	}
	if metadata["generateName"] != nil {
		metadata["name"] = fmt.Sprint(metadata["generateName"]) + "some"
	}
	delete(metadata, "managedFields")
	if details, ok := body["details"].(map[string]any); ok && details["uid"] != nil {
		details["uid"] = "some"
	}
}

// words translates every text of a body, and its keys stay: they are translated
// by now.
func (p *player) words(v any) any {
	switch v := v.(type) {
	case string:
		if group, _, _ := strings.Cut(p.groupVersion, "/"); v == group {
			return "frobbing.example.com"
		}
		return p.text.Replace(v)
	case map[string]any:
		for key, value := range v {
			v[key] = p.words(value)
		}
		if causes, ok := v["causes"].([]any); ok { // in no order
			slices.SortFunc(causes, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
	case []any:
		for i, value := range v {
			v[i] = p.words(value)
		}
	}
	return v
}

// owners writes managed fields down: manager, operation, subresource, version,
// and the fields in order. Those of a kind's own besides are left out.
func (p *player) owners(v any) (lines []string) {
	list, _ := v.([]any)
	for _, entry := range list {
		e := entry.(map[string]any)
		var fields []string
		for _, path := range flatten(nil, e["fieldsV1"].(map[string]any)) {
			if translated := p.owned(path); len(translated) > 1 || translated != nil && translated[0] != "f:spec" {
				fields = append(fields, strings.Join(translated, "/"))
			}
		}
		slices.Sort(fields)
		lines = append(lines, fmt.Sprintf("%v %v/%v %v %v timed %t: %s", e["manager"], e["operation"], e["subresource"],
			p.text.Replace(fmt.Sprint(e["apiVersion"])), e["fieldsType"], e["time"] != nil, strings.Join(fields, " ")))
	}
	slices.Sort(lines) // times order them, in whole seconds
	return lines
}

// flatten lists the leaves.
func flatten(at []string, fields map[string]any) (paths [][]string) {
	if len(fields) == 0 && len(at) > 0 {
		return [][]string{at}
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		paths = append(paths, flatten(append(slices.Clone(at), key), fields[key].(map[string]any))...)
	}
	return paths
}
