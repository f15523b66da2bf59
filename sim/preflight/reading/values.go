package reading

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// values knows which values servers have accepted in a write that changes nothing of them. Of the objects of a kind a
// server judges a value by its text, where a field has few, or by its form; so the write is tried on each object that
// has a shape, a text or a form which none before had in its place, and on every one with what was refused.
type values struct {
	texts    map[string]map[string]bool // by place: its first texts
	accepted map[string]bool
}

// fewTexts is how many texts of one place count each by itself: enumerations have no more, as a rule.
const fewTexts = 8

func newValues() values {
	return values{texts: map[string]map[string]bool{}, accepted: map[string]bool{}}
}

// of returns what is to be accepted of an object: its shape, and the value in each place.
func (v *values) of(kind, shape string, object map[string]any) []string {
	all := []string{shape}
	v.walk(&all, kind, object)
	return all
}

// own are the parts of an object that belong to it alone, and that servers do not judge when it is written again.
var own = []string{"name", "generateName", "uid", "resourceVersion", "generation", "creationTimestamp", "selfLink", "managedFields"}

func (v *values) walk(all *[]string, at string, node any) {
	switch n := node.(type) {
	case map[string]any:
		for name, member := range n {
			if !strings.HasSuffix(at, ".metadata") || !slices.Contains(own, name) {
				v.walk(all, at+"."+name, member)
			}
		}
	case []any:
		for _, element := range n {
			v.walk(all, at+"[]", element)
		}
	case string:
		*all = append(*all, at+" "+v.text(at, n))
	case int64:
		*all = append(*all, fmt.Sprintf("%s %t %d", at, n < 0, bits.Len64(uint64(max(n, -n)))))
	default:
		*all = append(*all, fmt.Sprintf("%s %v", at, n))
	}
}

// text returns the text itself, or its form: about how long it is, and which kinds of characters it has.
func (v *values) text(at, text string) string {
	known := v.texts[at]
	if known == nil {
		known = map[string]bool{}
		v.texts[at] = known
	}
	if known[text] || len(known) < fewTexts {
		known[text] = true
		return "=" + text
	}
	kinds := map[byte]bool{}
	for _, c := range []byte(text) {
		switch {
		case '0' <= c && c <= '9':
			c = '0'
		case 'a' <= c && c <= 'z':
			c = 'a'
		case 'A' <= c && c <= 'Z':
			c = 'A'
		case c >= 0x80:
			c = 0x80
		}
		kinds[c] = true
	}
	var form []byte
	for c := range kinds {
		form = append(form, c)
	}
	slices.Sort(form)
	return fmt.Sprintf("~%d %s", bits.Len(uint(len(text))), form)
}

// unknown reports whether some value was accepted in no object so far, or is in others.
func (v *values) unknown(of []string, others map[string]bool) bool {
	return slices.ContainsFunc(of, func(one string) bool { return !v.accepted[one] && !others[one] })
}

func (v *values) accept(of []string) {
	for _, one := range of {
		v.accepted[one] = true
	}
}
