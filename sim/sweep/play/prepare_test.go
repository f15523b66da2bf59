package play

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
)

// A pair that skips a minor release of Kubernetes is warned of, also in the reports; what definitions skip is
// nobody's policy.
func TestNoteSkipped(t *testing.T) {
	for name, c := range map[string]struct {
		component, old, new string
		warns               int
	}{
		"a minor release skipped": {"kube-apiserver", "v1.35.4", "v1.37.0", 1},
		"the next minor release":  {"kube-apiserver", "v1.36.3", "v1.37.0", 0},
		"a patch":                 {"kube-apiserver", "v1.37.0", "v1.37.2", 0},
		"another component":       {"frobber", "v1.35.4", "v1.37.0", 0},
	} {
		var warned []string
		s := &session{host: Host{Warn: func(words string) { warned = append(warned, words) }}, builds: map[term.Role]servers.Build{
			term.Old: {Component: c.component, Version: c.old}, term.New: {Component: c.component, Version: c.new},
		}}
		s.noteSkipped()
		assert.Len(t, warned, c.warns, name)
		assert.Equal(t, warned, s.notes, name)
	}
}
