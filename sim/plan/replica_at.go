package plan

import "github.com/skewsim/skewsim/scenarios/term"

// RoleOf returns the release that a replica runs during the stage.
func (s Stage) RoleOf(replica string) (term.Role, bool) {
	for _, r := range s.Replicas {
		if r.Replica == replica {
			return r.Role, true
		}
	}
	return "", false
}
