package mask

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// hidden replaces what a message quotes.
const hidden = "…"

// Shortest is how long a value must be to be looked for in a message.
const Shortest = 4

var (
	known = regexp.MustCompile(`^[A-Za-z0-9]{1,60}$|^[a-z0-9.-]{1,80}/v[0-9]+[a-z0-9]*$|^v[0-9]+[a-z0-9]*$|^pkg/[a-z/]+\.go:[0-9]+$`)
	plain = regexp.MustCompile(`(no kind|no matches for kind|for version|in scheme|in version|registered for version) $`)
	// unquoted are the places where servers show a value without quotation marks.
	unquoted = []*regexp.Regexp{
		regexp.MustCompile(`(?:Invalid value|Unsupported value|Duplicate value|Not found): ([^"'` + "`" + `\[{].*?)(?:: |, |$)`),
		regexp.MustCompile(`cannot unmarshal \w+ (.+?) into`),
		regexp.MustCompile(`\.\.\.\|(.*)\|\.\.\.`),
		// What a policy says, in a refusal and in a warning.
		regexp.MustCompile(`(?s)denied request: (.*)`),
		regexp.MustCompile(`(?s)Validation failed for \w+AdmissionPolicy .* with binding '[^']*': (.*)`),
	}
)

// Message returns a server's message without anything that it may quote of objects: whatever
// the objects hold, whatever is in brackets, and whatever is in quotation marks and is no name of a
// kind or version. Names are more of what is hidden. A word that the release uses itself hides nothing.
func (f *Fields) Message(message string, names []string, objects ...json.RawMessage) string {
	return f.MessageOfSchema(message, names, Own{}, objects...)
}

// Own is what a schema itself says, and a message may repeat: it is no value of an object.
type Own struct {
	Words []string // phrases, as they are in the message
	Rules []string // phrases that are kept but for what is in quotation marks in them
	// Listed are the values that a schema lists. Those that a server supports instead of one that it refuses are shown.
	Listed map[string]bool
}

// MessageOfSchema is Message, and keeps what a schema itself says.
func (f *Fields) MessageOfSchema(message string, names []string, own Own, objects ...json.RawMessage) string {
	m := masked{text: message, hide: make([]bool, len(message)), keep: make([]bool, len(message))}
	m.quotes(f.uses)
	m.brackets()
	for _, pattern := range unquoted {
		for _, at := range pattern.FindAllStringSubmatchIndex(message, -1) {
			m.mark(at[2], at[3])
		}
	}
	for _, object := range objects {
		var body any
		if utiljson.Unmarshal(object, &body) == nil {
			names = texts(body, names)
		}
	}
	for _, v := range names {
		if !f.uses(v) {
			m.value(v)
		}
	}
	m.supported(func(value string) bool { return own.Listed[value] || f.uses(value) || !slices.Contains(names, value) })
	for _, words := range own.Words {
		m.own(words, masked{text: words, hide: make([]bool, len(words))})
	}
	for _, rule := range own.Rules {
		inside := masked{text: rule, hide: make([]bool, len(rule)), keep: make([]bool, len(rule))}
		inside.quotes(f.uses)
		m.own(rule, inside)
	}
	return Shortened(m.String())
}

// masked is a message with what is hidden of it.
type masked struct {
	text       string
	hide, keep []bool // by byte
}

func (m masked) mark(from, to int) {
	for i := from; i < to; i++ {
		m.hide[i] = true
	}
}

// value marks a value wherever it is. A value of letters or digits alone is the same as a part of many
// words: only whole words are it.
func (m masked) value(v string) {
	whole := isWhole(v)
	for from := 0; ; {
		at := strings.Index(m.text[from:], v)
		if at < 0 {
			return
		}
		begin, end := from+at, from+at+len(v)
		if !whole || (begin == 0 || !isWord(m.text[begin-1])) && (end == len(m.text) || !isWord(m.text[end])) {
			m.mark(begin, end)
		}
		from = begin + 1
	}
}

// isWhole reports whether a text has letters alone, or digits alone.
func isWhole(text string) bool {
	letters := strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
	return letters == "" || strings.Trim(text, "0123456789") == ""
}

// own keeps a phrase of a schema wherever it is, without what is hidden inside.
func (m masked) own(phrase string, inside masked) {
	for from := 0; phrase != ""; {
		at := strings.Index(m.text[from:], phrase)
		if at < 0 {
			return
		}
		for i := range len(phrase) {
			m.keep[from+at+i] = !inside.hide[i] || inside.keep[i]
		}
		from += at + len(phrase)
	}
}

var (
	// supported finds the values that a server supports where it refuses one.
	supported = regexp.MustCompile(`Unsupported value: .*?: supported values: ("(?:[^"\\]|\\.)*"(?:, "(?:[^"\\]|\\.)*")*)`)
	listed    = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	// ofPolicy finds words of a policy, which may be anything.
	ofPolicy = regexp.MustCompile(`denied request: |AdmissionPolicy `)
)

// supported keeps the values that a server supports: the API or a definition lists them.
func (m masked) supported(shows func(value string) bool) {
	if ofPolicy.MatchString(m.text) {
		return
	}
	for _, found := range supported.FindAllStringSubmatchIndex(m.text, -1) {
		for _, at := range listed.FindAllStringIndex(m.text[found[2]:found[3]], -1) {
			from, to := found[2]+at[0], found[2]+at[1]
			if value, err := strconv.Unquote(m.text[from:to]); err == nil && shows(value) {
				for i := from; i < to; i++ {
					m.keep[i] = true
				}
			}
		}
	}
}

// quotes marks what is in quotation marks, and keeps names of kinds and versions. In backticks servers write words of
// the API: those that the release publishes stay.
func (m masked) quotes(uses func(word string) bool) {
	for i := 0; i < len(m.text); i++ {
		c := m.text[i]
		if c != '"' && c != '\'' && c != '`' || c == '\'' && i > 0 && isWord(m.text[i-1]) {
			continue
		}
		end := m.closing(i)
		before, quoted := m.text[:i], m.text[i+1:min(end, len(m.text))]
		if end < len(m.text) && (c == '`' && uses(quoted) || plain.MatchString(before) && known.MatchString(quoted) || strings.HasSuffix(before, "PostStartHook ")) {
			for k := i; k <= end; k++ {
				m.keep[k] = true
			}
		} else {
			m.mark(i, min(end+1, len(m.text)))
		}
		i = end
	}
}

// closing returns where the quotation that begins at a byte ends; the end of the message if nothing
// closes it.
func (m masked) closing(begin int) int {
	for i := begin + 1; i < len(m.text); i++ {
		switch c := m.text[i]; {
		case c == '\\' && m.text[begin] == '"':
			i++
		case c == m.text[begin] && (c != '\'' || i+1 == len(m.text) || !isWord(m.text[i+1])):
			return i
		}
	}
	return len(m.text)
}

func isWord(c byte) bool {
	return c >= utf8.RuneSelf || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// brackets marks what is in brackets or braces, nested ones included.
func (m masked) brackets() {
	var open []byte
	for i := range len(m.text) {
		c := m.text[i]
		switch {
		case m.hide[i]: // quoted
		case c == '[' || c == '{':
			if open = append(open, c); len(open) == 1 {
				continue
			}
		case len(open) > 0 && (c == ']' && open[len(open)-1] == '[' || c == '}' && open[len(open)-1] == '{'):
			open = open[:len(open)-1]
			if len(open) == 0 {
				continue
			}
			m.hide[i] = true
		}
		if len(open) > 0 {
			m.hide[i] = true
		}
	}
}

// String returns the message without what is hidden: [] and … are in its place.
func (m masked) String() string {
	var out strings.Builder
	for i := 0; i < len(m.text); i++ {
		switch {
		case !m.hide[i] || m.keep[i]:
			out.WriteByte(m.text[i])
		case i > 0 && m.hide[i-1] && !m.keep[i-1]: // the mark is written
		case i > 0 && m.text[i-1] == '[' && !m.hide[i-1]: // [] says it
		default:
			out.WriteString(hidden)
		}
	}
	return strings.ToValidUTF8(out.String(), hidden)
}

// Shortened returns the beginning of a long message.
func Shortened(message string) string {
	const most = 400
	if len(message) <= most {
		return message
	}
	return strings.ToValidUTF8(message[:most], "") + hidden
}

// texts returns the texts and numbers of an object that are long enough to be looked for, and the
// names in its maps that are no names of fields. Who manages the fields is no value.
func texts(node any, all []string) []string {
	switch n := node.(type) {
	case map[string]any:
		for name, v := range n {
			if name == "managedFields" {
				continue
			}
			if len(name) >= Shortest && !isField(name) {
				all = append(all, name)
			}
			if values, is := v.(map[string]any); is && slices.Contains(maps(), name) {
				for key := range values {
					all = appendLong(all, key)
				}
			}
			all = texts(v, all)
		}
	case []any:
		for _, v := range n {
			all = texts(v, all)
		}
	case string:
		all = appendLong(all, n)
		if plain, err := base64.StdEncoding.DecodeString(n); err == nil && utf8.Valid(plain) {
			all = appendLong(all, string(plain))
		}
	case int64, float64:
		number, _ := json.Marshal(n) // it was read from JSON
		all = appendLong(all, string(number))
	}
	return all
}

func appendLong(all []string, text string) []string {
	if len(text) < Shortest {
		return all
	}
	if trimmed := strings.TrimSpace(text); len(trimmed) >= Shortest && trimmed != text {
		all = append(all, trimmed)
	}
	return append(all, text)
}

// maps are the fields whose members the user names.
func maps() []string {
	return []string{"annotations", "labels", "matchLabels", "nodeSelector", "data", "stringData", "binaryData", "volumeAttributes", "parameters", "attributes"}
}

// isField reports whether a name may be one of a field: Kubernetes' own have letters and digits
// alone.
func isField(name string) bool {
	if strings.HasPrefix(name, "x-kubernetes-") || name == "$ref" || name == "$schema" {
		return true
	}
	for i := range len(name) {
		if !isWord(name[i]) || name[i] >= utf8.RuneSelf {
			return false
		}
	}
	return name != ""
}

// WithoutKeys returns a path as differences spell fields, without keys of lists; names in maps that
// may be the user's are left out.
func WithoutKeys(text string) string {
	var out strings.Builder
	for _, e := range Elements(text) {
		name, field := strings.CutPrefix(e, ".")
		if field && isField(name) {
			out.WriteString(e)
		} else if !strings.HasSuffix(out.String(), "[]") || !field {
			out.WriteString("[]")
		}
		if field && slices.Contains(maps(), name) && (name != "data" || out.String() == ".data") {
			break
		}
	}
	return out.String()
}

// Elements returns the elements of a path: .name, and [...] with what is quoted or nested in it.
func Elements(text string) (all []string) {
	for text != "" {
		end := 1
		if text[0] == '[' {
			end = bracketed(text)
		} else if next := strings.IndexAny(text[1:], ".["); next >= 0 {
			end += next
		} else {
			end = len(text)
		}
		all, text = append(all, text[:end]), text[end:]
	}
	return all
}

// bracketed returns the length of the bracket that a text begins with.
func bracketed(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			if end := (masked{text: text}).closing(i); end < len(text) {
				i = end
			}
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}
