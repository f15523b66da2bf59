package diff

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/scenarios/term"
)

// A definition of a custom resource has no named types: a struct that its Go code uses in many places is
// published in full at each of them, in each kind and version. A change of the struct is then as many
// differences as it has places: one pattern of a name is 69 of argo-workflows. They become one difference
// with its places, as of a named type, if they are more than a reader and a sweep can go through singly.

// maxRepeats is the number of fields up to which a change of one struct is a difference of its own in each.
const maxRepeats = 3

// structure is an inlined struct, with what it is in both releases.
type structure struct {
	old, new *spec.Schema
	path     string // where it is
	digest   string // see sum; "" before the first call
}

// sum returns a digest of the struct as both releases publish it.
func (s *structure) sum() string {
	if s.digest == "" {
		hash := sha256.New()
		for _, of := range []*spec.Schema{s.old, s.new} {
			text, err := json.Marshal(of)
			if err != nil { // it was read from JSON
				panic(err)
			}
			hash.Write(text)
		}
		s.digest = fmt.Sprintf("%x", hash.Sum(nil))
	}
	return s.digest
}

// within returns the place with the struct that declares it, if a custom resource has the struct inlined. A named
// type is identified by its name.
func (h here) within(c *comparison, old, new *spec.Schema) here {
	if c.new.custom[h.holder] && len(old.Properties)+len(new.Properties) > 0 {
		h.structure = &structure{old: old, new: new, path: h.path}
	}
	return h
}

// through returns the place with the list or map types of one more value on its path. They decide whether a value
// is merged in parts or replaced as a whole, so the same change can have other effects below other types.
func (h here) through(old, new string) here {
	word := firstWord(old) + "/" + firstWord(new)
	if word == "granular/granular" || slices.Contains(h.mergedAs, word) {
		return h
	}
	h.mergedAs = append(slices.Clip(h.mergedAs), word)
	slices.Sort(h.mergedAs)
	return h
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

// repeat identifies a change of an inlined struct, whichever field has the struct; "" for any other difference.
func (c *comparison) repeat(h here, d Difference) string {
	if h.structure == nil || d.Difference.IsGate() {
		return ""
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(h.path, "."), ".")
	return fmt.Sprintln(d.Difference, d.Name, d.Old, d.New, h.structure.sum(), strings.TrimPrefix(h.path, h.structure.path), first == term.StatusPart,
		h.mergedAs, h.stored, c.old.kinds[h.kind].Conversion, c.new.kinds[h.kind].Conversion)
}

// gatherRepeats makes one difference of those that are one change of a struct at more than maxRepeats fields.
func (c *comparison) gatherRepeats(newest map[string]string) {
	of := map[string][]key{}
	for k, e := range c.found {
		if e.repeat != "" {
			of[e.repeat] = append(of[e.repeat], k)
		}
	}
	for _, keys := range of {
		if len(fieldsOf(c.found, keys)) <= maxRepeats {
			continue
		}
		var places []Place
		for _, k := range keys {
			places = append(places, c.found[k].Places...)
		}
		places = inOrder(places, newest)
		for _, k := range keys {
			if e := c.found[k]; e.isAt(places[0]) { // the one that stands for all
				e.Places = places
				continue
			}
			delete(c.found, k)
		}
	}
}

// fieldsOf returns the fields of several differences, whatever the version.
func fieldsOf(found map[key]*entry, keys []key) map[Place]bool {
	all := map[Place]bool{}
	for _, k := range keys {
		for _, p := range found[k].Places {
			group, _ := split(p.APIVersion)
			all[Place{APIVersion: group, Kind: p.Kind, Path: p.Path}] = true
		}
	}
	return all
}

func (e *entry) isAt(p Place) bool { return slices.Contains(e.Places, p) }
