package preflight

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/path"
)

// hidden replaces what a message quotes.
const hidden = "…"

var (
	quoted = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|'[^']*'")
	known  = regexp.MustCompile(`^[A-Za-z0-9]{1,60}$|^[a-z0-9.-]{1,80}/v[0-9]+[a-z0-9]*$|^v[0-9]+[a-z0-9]*$|^pkg/[a-z/]+\.go:[0-9]+$`)
	plain  = regexp.MustCompile(`(no kind|no matches for kind|for version|in scheme|in version|registered for version) $`)
	keys   = regexp.MustCompile(`\[[^\]]*\]`)
)

// withoutValues returns a server's message without anything that it may quote of an object:
// whatever the object holds, and whatever stands in quotation marks and is no name of a kind or
// version.
func withoutValues(message string, object json.RawMessage) string {
	var body any
	if json.Unmarshal(object, &body) == nil {
		values := texts(body, nil)
		slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
		for _, v := range slices.Compact(values) {
			message = strings.ReplaceAll(message, v, hidden)
		}
	}
	var out strings.Builder
	for message != "" {
		at := quoted.FindStringIndex(message)
		if at == nil {
			out.WriteString(message)
			break
		}
		out.WriteString(message[:at[0]])
		inner := message[at[0]+1 : at[1]-1]
		if plain.MatchString(message[:at[0]]) && known.MatchString(inner) {
			out.WriteString(message[at[0]:at[1]])
		} else {
			out.WriteString(hidden)
		}
		message = message[at[1]:]
	}
	return shortened(keys.ReplaceAllString(out.String(), "[]"))
}

// shortened returns the beginning of a long message.
func shortened(message string) string {
	const most = 400
	if len(message) <= most {
		return message
	}
	return strings.ToValidUTF8(message[:most], "") + hidden
}

// texts returns the texts of an object that are long enough to be looked for, and the names in
// its maps that are no names of fields.
func texts(node any, all []string) []string {
	const shortest = 4
	switch n := node.(type) {
	case map[string]any:
		for name, v := range n {
			if strings.ContainsAny(name, "./-_ ") {
				all = append(all, name)
			}
			all = texts(v, all)
		}
	case []any:
		for _, v := range n {
			all = texts(v, all)
		}
	case string:
		if len(n) >= shortest {
			all = append(all, n)
		}
	}
	return all
}

// withoutKeys returns a path as differences spell fields, without keys of lists; names in maps that
// may be the user's are left out.
func withoutKeys(text string) string {
	p, err := path.Parse(text)
	if err != nil {
		return keys.ReplaceAllString(text, "[]")
	}
	field := path.Field(p)
	for _, of := range []string{".metadata.annotations", ".metadata.labels", ".data", ".stringData", ".binaryData"} {
		if strings.HasPrefix(field, of+".") || strings.HasPrefix(field, of+"[") {
			return of
		}
	}
	return keys.ReplaceAllString(field, "[]")
}
