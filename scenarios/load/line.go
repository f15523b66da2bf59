package load

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/suggest"
	"github.com/skewsim/skewsim/scenarios/term"
)

// VerbsByKey are the verb keys that accept a key which not all of them accept.
func VerbsByKey() map[string][]string {
	return map[string][]string{
		"read":            {"touch", "set"},
		"verb":            {"create", "touch", "set", "delete"},
		"change":          {"touch"},
		"manager":         {"create", "touch", "set"},
		"force":           {"create", "touch", "set"},
		"encoding":        {"create", "touch", "set"},
		"fieldValidation": {"create", "touch", "set", "patch"},
		"apiVersion":      {"touch", "set", "patch", "get", "list"},
		"subresource":     {"touch", "set", "patch"},
		"fieldSelector":   {"list"},
		"propagation":     {"delete"},
		"then":            {"touch", "set", "patch", "get"},
		"alone":           {"create", "touch", "set", "patch", "get", "delete"},
		"fields":          {"set"},
		"type":            {"patch"},
		"body":            {"patch"},
		"names":           {"patch"},
	}
}

func (v lineChecks) play() {
	if v.given("play") && len(v.s.Play) == 0 {
		v.fail("play", "empty: a scenario has at least one line")
	}
	if v.tooMany("play", len(v.s.Play)) {
		return
	}
	for i := range v.s.Play {
		v.playLine(strict.Element("play", i), &v.s.Play[i])
	}
	if !v.Reported("play") && !v.Reported("objects") {
		v.created()
		v.mutated()
	}
}

// created finds objects that no line creates, so that no line could meet one.
func (v lineChecks) created() {
	created := map[string]bool{}
	for _, l := range v.s.Play {
		created[l.Create] = true
	}
	for _, name := range slices.Sorted(maps.Keys(v.s.Objects)) {
		if !created[name] {
			v.fail(strict.Join("objects", name), "no line of play creates it: add a line such as {create: %s}", name)
		}
	}
}

func (v lineChecks) playLine(at string, l *scenarios.Line) {
	key, ok := v.verbKey(at, *l)
	if !ok {
		return
	}
	v.fitting(at, key)
	v.targets(at+".via", l.Via)
	v.targets(at+".read", l.Read)
	v.asking(at, *l)
	v.words(at+".at", l.At, v.stage)
	v.respond(at, l.Respond)
	v.selectors(at, *l)
	v.then(at, l)
	switch key {
	case "set":
		v.set(at, l)
	case "patch":
		v.patch(at, l)
	}
}

// verbKey checks that the line has one verb, and that its object exists.
func (v lineChecks) verbKey(at string, l scenarios.Line) (string, bool) {
	var keys, known []string
	for _, k := range l.VerbKeys() {
		known = append(known, k.Key)
		if v.given(at + "." + k.Key) {
			keys = append(keys, k.Key)
		}
	}
	switch len(keys) {
	case 0:
		v.fail(at, "needs one of %s", strings.Join(known, ", "))
		return "", false
	case 1:
		_, object := l.VerbKey()
		v.object(at+"."+keys[0], object)
		return keys[0], true
	}
	v.fail(at, "has %s: a line has exactly one verb", strings.Join(keys, " and "))
	return "", false
}

// fitting refuses keys that the line's verb does not accept.
func (v lineChecks) fitting(at, verb string) {
	all := VerbsByKey()
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if v.given(at+"."+key) && !slices.Contains(all[key], verb) {
			written := strings.TrimPrefix(v.Written(at+"."+key), at+".")
			v.fail(at+"."+key, "%s does not take %s, only %s", verb, written, alternatives(all[key]))
		}
	}
}

func alternatives(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0] + " does"
	}
	return strings.Join(words[:last], ", ") + " and " + words[last] + " do"
}

// words checks each word of a list at the word's own line.
func (v lineChecks) words(at string, words []string, check func(at, word string, line int)) {
	for i, word := range words {
		check(at, word, v.s.LineOf(strict.Element(at, i)))
	}
}

func (v lineChecks) targets(at string, targets []scenarios.Target) {
	if v.Reported(at) || v.Reported("replicas") {
		return
	}
	replicas := scenarios.ReplicaNames(v.s.Replicas)
	releases := term.Roles().Words()
	for i, t := range targets {
		if slices.Contains(replicas, string(t)) || slices.Contains(releases, string(t)) {
			continue
		}
		known := fmt.Sprintf(" (replicas: %s; releases: %s)", strings.Join(replicas, ", "), strings.Join(releases, ", "))
		if near := suggest.Nearest(string(t), releases); near != "" {
			known = fmt.Sprintf(": did you mean %q?", near)
		}
		v.Add(v.s.LineOf(strict.Element(at, i)), at, "unknown replica %s%s", strict.Quote(string(t)), known)
	}
}

func (v lineChecks) set(at string, l *scenarios.Line) {
	if len(l.Fields) == 0 {
		v.fail(at+".fields", `set needs fields, such as {'.spec.replicas': 3}`)
	}
	l.Fields = v.fields(at+".fields", l.Fields)
}

// fields checks the paths of a map of values, and returns the map with each path in its normal
// spelling.
func (v *validator) fields(at string, fields map[string]any) map[string]any {
	if fields == nil {
		return nil
	}
	spelled := make(map[string]any, len(fields))
	for _, text := range slices.Sorted(maps.Keys(fields)) {
		p := v.path(strict.Join(at, text), text)
		if _, twice := spelled[p]; twice {
			v.fail(strict.Join(at, text), "%s is given twice, in two spellings", p)
		}
		spelled[p] = fields[text]
	}
	return spelled
}

// path checks a path and returns its normal spelling, or the text unchanged if it is invalid.
func (v *validator) path(at, text string) string {
	p, err := path.Parse(text)
	switch {
	case err != nil:
		v.fail(at, "%v", err)
	case len(p) == 0:
		v.fail(at, "empty: a path is such as .spec.replicas")
	default:
		objectChecks{v}.shown(at, text)
		return path.String(p)
	}
	return text
}

func (v lineChecks) respond(at string, r *scenarios.Respond) {
	if r == nil {
		return
	}
	at += ".respond"
	if code := at + ".code"; v.given(code) && (r.Code < 100 || r.Code > 599) {
		v.fail(code, "%d is not an HTTP status between 100 and 599", r.Code)
	}
	r.Fields = v.fields(at+".fields", r.Fields)
}

// patch checks type, body and names against each other.
func (v lineChecks) patch(at string, l *scenarios.Line) {
	if l.Type == "" {
		v.fail(at+".type", "patch needs a type (patch types: %s)", strings.Join(term.PatchTypes().Words(), ", "))
	}
	v.body(at+".body", l)
	for i, name := range l.Names {
		l.Names[i] = v.path(strict.Element(at+".names", i), name)
	}
	if l.Type != "" && scenarios.NeedsNames(l) && len(l.Names) == 0 && !v.Reported(at+".body") {
		v.fail(at+".names", "patch needs the names of the paths that its body means to change: %s", whyNames(l))
	}
}

func whyNames(l *scenarios.Line) string {
	switch {
	case l.Type.Form() == term.JSONForm:
		return "those of json-patch depend on the object"
	case scenarios.ReplacesRoot(l.Body):
		return "the body's directive is about the whole object"
	}
	return "the body holds a list"
}

func (v lineChecks) body(at string, l *scenarios.Line) {
	_, isMap := l.Body.(map[string]any)
	operations, isList := l.Body.([]any)
	switch {
	case l.Body == nil:
		v.fail(at, "patch needs a body")
	case l.Type == "": // the form of a body depends on it
		return
	case l.Type.Form() == term.JSONForm && !isList:
		v.fail(at, "the body of json-patch is a list of operations")
	case l.Type.Form() != term.JSONForm && !isMap:
		v.fail(at, "the body of a patch is an object, and a list of operations for json-patch")
	case l.Type.Form() != term.JSONForm && len(l.Names) == 0 && !l.Type.PostsPart() && !scenarios.NeedsNames(l):
		v.fail(at, "changes nothing: it is empty")
	}
	if l.Type.Form() == term.JSONForm {
		v.operations(at, operations)
	}
}

// operations checks the members that RFC 6902 requires of each operation, if API servers would
// answer a mistake only with "invalid".
func (v lineChecks) operations(at string, operations []any) {
	known := []string{"add", "remove", "replace", "move", "copy", "test"}
	for i, o := range operations {
		at := strict.Element(at, i)
		operation, _ := o.(map[string]any)
		op, _ := operation["op"].(string)
		pointer, _ := operation["path"].(string)
		switch {
		case !slices.Contains(known, op):
			v.fail(at, "unknown op %s%s", strict.Quote(op), suggest.Hint(op, known, "ops"))
		case !strings.HasPrefix(pointer, "/"):
			v.fail(at, `path %s is not a JSON pointer such as "/spec/replicas"`, strict.Quote(fmt.Sprint(operation["path"])))
		}
	}
}
