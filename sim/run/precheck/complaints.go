package precheck

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// undecoded matches the error of Go's decoder for a value of another type than its field.
// It names fields without indices of list elements, and without keys of maps.
var undecoded = regexp.MustCompile(`json: cannot unmarshal (\w+)(?: \S+)? into Go (?:struct field \w+\.(\S+)|value) of type (\S+)`)

// envelope matches what servers write before the reason why they cannot decode an object,
// or refuse it.
var envelope = regexp.MustCompile(`^(?:\w+ in version "[^"]*" cannot be handled as a \w+: |[^ ]+ "[^"]*" is (?:invalid|forbidden): )`)

// against returns an answer's complaints about the object's fields, in the server's words;
// about the whole object if it names no field.
func (acc *acceptance) against(manifest string, r response) []cause {
	body := acc.Known.Plan.Manifests[manifest].Body
	if m := undecoded.FindStringSubmatch(r.Message); m != nil {
		return []cause{mistyped(body, m[2], m[1], m[3])}
	}
	var all []cause
	for _, c := range r.Causes {
		if c.Message != "" && !slices.Contains(all, c) {
			all = append(all, cause{Field: strings.TrimPrefix(c.Field, "<nil>"), Message: c.Message})
		}
	}
	if len(all) > 0 {
		return all
	}
	reason := cmp.Or(envelope.ReplaceAllString(r.Message, ""), "refused without a word")
	if fields := acc.malformed(manifest); r.Code == 400 && len(fields) > 0 {
		for _, field := range fields {
			all = append(all, cause{Field: field, Message: reason})
		}
		return all
	}
	return []cause{{Message: reason}}
}

// mistyped returns the text for a value of another type than its field. A value that YAML
// parses as a boolean or a number was often meant as text.
func mistyped(body map[string]any, field, is, wanted string) cause {
	text := fmt.Sprintf("is of type %s, and %s is wanted", is, wanted)
	if wanted == "string" && (is == "bool" || is == "number") {
		text += ": quote it"
	}
	var names []string
	if field != "" {
		names = strings.Split(field, ".")
	}
	if at, found := misfit(body, names, is); found {
		field = strings.TrimPrefix(at, ".")
	}
	return cause{Field: field, Message: text}
}

// misfit returns, below a value, the first place of that name whose value has the JSON
// type: in some element of a list, whose index the name lacks, or at some key.
func misfit(v any, names []string, is string) (at string, found bool) {
	if len(names) == 0 && jsonType(v) == is {
		return "", true
	}
	switch t := v.(type) {
	case []any:
		for i, item := range t {
			if at, found := misfit(item, names, is); found {
				return fmt.Sprintf("[%d]%s", i, at), true
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(t)) {
			if len(names) > 0 && key != names[0] {
				continue
			}
			if at, found := misfit(t[key], names[min(1, len(names)):], is); found {
				return memberName(key) + at, true
			}
		}
	}
	return "", false
}

// memberName formats a member of a map as servers name it.
func memberName(key string) string {
	if strings.ContainsAny(key, "./") {
		return "[" + key + "]"
	}
	return "." + key
}

// jsonType returns the type of a value as Go's decoder names it.
func jsonType(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case bool:
		return "bool"
	case int64, float64:
		return "number"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return strconv.Quote(fmt.Sprint(v))
}

// malformed returns the object's values that are published as quantities or times and
// cannot be parsed: servers refuse them without naming them.
func (acc *acceptance) malformed(manifest string) (fields []string) {
	m := acc.Known.Plan.Manifests[manifest]
	for _, role := range []term.Role{term.New, term.Old} {
		kind, ok := acc.Known.ByRole[role].Schema.Kind(m.APIVersion, m.Kind)
		if !ok {
			continue
		}
		for _, leaf := range kind.Leaves(m.Body) {
			if leaf.Malformed {
				fields = append(fields, indexed(m.Body, leaf.Path))
			}
		}
		break
	}
	slices.Sort(fields)
	return fields
}
