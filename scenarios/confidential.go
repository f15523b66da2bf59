package scenarios

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
)

// Confidential marks values of an object that no report may show, like the values of a Secret.
type Confidential struct {
	// Object is the object's name in Objects. The mark applies to all objects of its kind.
	Object string `json:"object" jsonschema:"required" jsonschema_description:"The object, by its name in objects; what is marked is so in all objects of its kind."`
	// Path is the place of the values. The mark includes everything below it, and applies to
	// every element of a list on the way.
	Path []string `json:"path" jsonschema:"required" jsonschema_description:"The path of the values, such as .spec.token; everything below it is included, and so is every element of a list that it names."`
}

// ConfidentialPaths returns the marked paths by kind, with the paths that servers keep in step
// with them: related paths hold the same value.
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

// repeated returns the path with all paths that repeat its value. One group may lead to
// another, if a path of the one is below a path of the other.
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

// kind returns the kind of the object's files, or "" if neither was read.
func (s *Scenario) kind(object string) string {
	o := s.Objects[object]
	for _, file := range []string{o.Treated, o.Bystander} {
		if kind, ok := s.Manifests[file].Body["kind"].(string); ok {
			return kind
		}
	}
	return ""
}

// FieldNamesIn returns the fields on a path, without list elements: a mark applies to all
// elements.
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

// StartsWith reports whether the names begin with others.
func StartsWith(all, with []string) bool {
	return len(with) > 0 && len(with) <= len(all) && slices.Equal(with, all[:len(with)])
}

// Overlap reports whether one of two places is equal to or below the other.
func Overlap(one, other []string) bool { return StartsWith(one, other) || StartsWith(other, one) }
