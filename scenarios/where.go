package scenarios

import (
	"fmt"
	"path"

	"github.com/skewsim/skewsim/scenarios/yamlnodes"
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
// that the file holds: new-field.yaml:4, for a part such as new.featureGates.Glow. What
// was given on the command line stands there: --new-feature-gates.
func (s *Scenario) Place(part string) string {
	if flag := s.givenAs(part); flag != "" {
		return flag
	}
	return fmt.Sprintf("%s:%d", s.File, s.LineOf(part))
}

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
	return yamlnodes.Line(m.root, field)
}
