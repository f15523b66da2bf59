package scenarios

import (
	"fmt"
	"path"
	"strings"

	"github.com/skewsim/skewsim/scenarios/yamlnodes"
)

// Where is the place of a field in an object file: objects/pod.yaml:7, the file as
// seen from where the scenario was named. The file is named as in Objects, the field
// as servers name it: spec.containers[0].image, metadata.labels[a.b/c]. A field that
// the file does not hold is placed where it would be: in the nearest part above it.
func (s *Scenario) Where(file, field string) string {
	name := path.Join(path.Dir(s.File), file)
	if line := s.Manifests[file].Line(field); line > 0 {
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

// LineOf returns the line of a part of the scenario's own file, or of the nearest part
// above it that the file holds; 0 for a scenario that was read from no file.
func (s *Scenario) LineOf(part string) int {
	for {
		if line, known := s.Lines[part]; known {
			return line
		}
		cut := strings.LastIndexAny(part, ".[")
		if cut < 0 {
			return s.Lines[""]
		}
		part = part[:cut]
	}
}

// Line is the line of a field, 0 where the file's lines are not known: of JSON that
// is no YAML.
func (m Manifest) Line(field string) int {
	if m.Root == nil {
		return 0
	}
	return yamlnodes.Line(m.Root, field)
}
