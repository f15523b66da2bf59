package scenarios

import (
	"fmt"
	"path"
	"strconv"

	"go.yaml.in/yaml/v3"

	fields "github.com/skewsim/skewsim/sim/path"
)

// Where is the place of a field in an object file: objects/pod.yaml:7, the file as
// seen from where the scenario was named. The file is named as in Objects, the field
// as servers name it: spec.containers[0].image, metadata.labels[a.b/c]. A field that
// the file does not hold is placed where it would be: in the nearest part above it.
func (s *Scenario) Where(file, field string) string {
	name := path.Join(path.Dir(s.File), file)
	if line := s.Manifests[file].line(field); line > 0 {
		return fmt.Sprintf("%s:%d", name, line)
	}
	return name
}

// Place is where a part of the scenario's own file stands, or the nearest part above it
// that the file holds: new-field.yaml:4, for a part such as new.featureGates.Glow.
func (s *Scenario) Place(part string) string { return fmt.Sprintf("%s:%d", s.File, s.LineOf(part)) }

// LineOf is the line of that place.
func (s *Scenario) LineOf(part string) int {
	v := validator{s: s}
	return v.line(part)
}

// line is the line of a field, 0 where the file's lines are not known: of JSON that
// is no YAML.
func (m Manifest) line(field string) int {
	if m.root == nil {
		return 0
	}
	line, _ := lineOf(m.root, fields.Members(field))
	return max(line, m.root.Line)
}

// lineOf is the line of what the names lead to, and how many of them the document
// has. A list that no number leads into, as in errors of Go's decoder, is searched
// for the element that has most of the rest.
func lineOf(n *yaml.Node, names []string) (line, found int) {
	if len(names) == 0 {
		return 0, 0
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == names[0] {
				below, deeper := lineOf(n.Content[i+1], names[1:])
				return max(n.Content[i].Line, below), 1 + deeper
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(names[0]); err == nil && i >= 0 && i < len(n.Content) {
			below, deeper := lineOf(n.Content[i], names[1:])
			return max(n.Content[i].Line, below), 1 + deeper
		}
		for _, item := range n.Content {
			if below, deeper := lineOf(item, names); deeper > found {
				line, found = below, deeper
			}
		}
	}
	return line, found
}
