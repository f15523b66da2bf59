package scenarios

import (
	"fmt"
	"path"
	"strings"

	"github.com/skewsim/skewsim/scenarios/strict"
)

// Where returns the place of a field in an object file: objects/pod.yaml:7, relative to the
// place from which the scenario was named. The file is named as in Objects, the field as
// servers name it: spec.containers[0].image, metadata.labels[a.b/c]. For a field that the file
// does not contain, it returns the place of the nearest parent that the file contains.
func (s *Scenario) Where(file, field string) string {
	name := path.Join(path.Dir(s.File), file)
	if line := s.Manifests[file].Line(field); line > 0 {
		return fmt.Sprintf("%s:%d", name, line)
	}
	return name
}

// Place returns the place of a part of the scenario's own file, such as new.featureGates.Glow,
// or of the nearest parent that the file contains: new-field.yaml:4. For an option from the
// command line it returns the flag: --new-feature-gates.
func (s *Scenario) Place(part string) string {
	if flag := s.givenAs(part); flag != "" {
		return flag
	}
	return fmt.Sprintf("%s:%d", s.File, s.LineOf(part))
}

// LineOf returns the line of a part of the scenario's own file, or of the nearest parent that
// the file contains; 0 for a scenario that was not read from a file.
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

// Line returns the line of a field, or 0 if the file's lines are not known: for JSON that is
// not YAML.
func (m Manifest) Line(field string) int {
	if m.Root == nil {
		return 0
	}
	return strict.Line(m.Root, field)
}
