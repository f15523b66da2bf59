package scenarios

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
)

// Confidential marks values of an object that nobody may read in a report, as
// nobody may read what a Secret holds.
type Confidential struct {
	// Object is the object's name in Objects. What is marked is so in all objects
	// of its kind.
	Object string `json:"object" jsonschema:"required" jsonschema_description:"The object, by its name in objects; what is marked is so in all objects of its kind."`
	// Path is where the values lie, and all that lies below. Which element of a
	// list it names does not matter.
	Path []string `json:"path" jsonschema:"required" jsonschema_description:"Where the values lie, with all that lies below, such as .spec.token; whichever element of a list it names, all are meant."`
}

// ConfidentialPaths are the marked paths by kind, each with the paths that
// servers keep in step with it: what the one holds, the others repeat.
func (s *Scenario) ConfidentialPaths() map[string][]string {
	all := map[string][]string{}
	for _, c := range s.Confidential {
		kind := s.kind(c.Object)
		for _, text := range c.Path {
			all[kind] = append(all[kind], s.repeated(text)...)
		}
	}
	for kind := range all {
		slices.Sort(all[kind])
		all[kind] = slices.Compact(all[kind])
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

// repeated is the path with all that repeat its value. A group may lead to another,
// where a path of the one lies below one of the other.
func (s *Scenario) repeated(text string) []string {
	groups, all := s.RelatedPaths(), []string{text}
	for next := 0; next < len(all); next++ {
		for _, group := range groups {
			if !slices.ContainsFunc(group, func(member string) bool { return Overlap(FieldNamesIn(all[next]), FieldNamesIn(member)) }) {
				continue
			}
			for _, member := range group {
				if !slices.Contains(all, member) {
					all = append(all, member)
				}
			}
		}
	}
	return all
}

// kind is that of an object's files, "" where neither was read.
func (s *Scenario) kind(object string) string {
	o := s.Objects[object]
	for _, file := range []string{o.Treated, o.Bystander} {
		if kind, ok := s.Manifests[file].Body["kind"].(string); ok {
			return kind
		}
	}
	return ""
}

// FieldNamesIn are the fields that a path leads through: marks know no elements.
func FieldNamesIn(text string) []string {
	p, err := path.Parse(text)
	if err != nil {
		return nil
	}
	return FieldNames(p)
}

// FieldNames returns the names of the fields that a path leads through, without list elements.
func FieldNames(p fieldpath.Path) []string {
	var all []string
	for _, e := range p {
		if e.FieldName != nil {
			all = append(all, *e.FieldName)
		}
	}
	return all
}

// StartsWith tells whether the names begin with others.
func StartsWith(all, with []string) bool {
	return len(with) > 0 && len(with) <= len(all) && slices.Equal(with, all[:len(with)])
}

// Overlap tells whether one of two places lies at or below the other.
func Overlap(one, other []string) bool { return StartsWith(one, other) || StartsWith(other, one) }
