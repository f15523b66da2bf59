package stages

import "github.com/skewsim/skewsim/scenarios/term"

// The stages at which a sweep writes.
const (
	Mixed      = "upgrading 1/2"
	Old        = "old"
	New        = "new"
	RolledBack = "rolled-back"
)

// Stages are where the writes of an object go.
type Stages struct {
	Created string // where it is created
	Mixed   string // where both releases are met: the first that has the other release's servers
	Typed   string // where clients of the other release write through the object's own
	Alone   string // where the other release serves alone; "" if that is Mixed
}

// Of returns the stages of an object of that release. With one definition at a time, no stage
// has both releases: the object meets the other release's definition alone.
func Of(release term.Role, oneDefinition bool) Stages {
	switch {
	case release == term.New && oneDefinition:
		return Stages{Created: New, Mixed: RolledBack, Typed: New}
	case release == term.New:
		return Stages{Created: Mixed, Mixed: Mixed, Typed: Mixed, Alone: RolledBack}
	case oneDefinition:
		return Stages{Created: Old, Mixed: New, Typed: Old}
	}
	return Stages{Created: Old, Mixed: Mixed, Typed: Mixed, Alone: New}
}
