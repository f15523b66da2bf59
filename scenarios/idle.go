package scenarios

import (
	"reflect"

	"github.com/skewsim/skewsim/scenarios/path"
)

// idleMutations refuses mutations whose values a form of the object has
// already: a write that changes nothing is not stored, so it shows nothing.
func idleMutations(s *Scenario, name string, p *problems) {
	o := s.Objects[name]
	for _, m := range sortedKeys(o.Mutations) {
		at := join(join("objects", name)+".mutations", string(m))
		for _, file := range []string{o.Treated, o.Bystander} {
			manifest, read := s.Manifests[file]
			if read && !p.reported(at) && holds(manifest.Body, o.Mutations[m]) {
				p.add(s.Lines[at], at, "changes nothing: %s has these values already", quote(file))
			}
		}
	}
}

// holds tells whether the object has all the values already; null stands for
// one that it has not.
func holds(body, values map[string]any) bool {
	for text, want := range values {
		at, err := path.Parse(text)
		is, found := path.Get(body, at)
		if err != nil || found != (want != nil) || found && !reflect.DeepEqual(is, want) {
			return false
		}
	}
	return true
}
