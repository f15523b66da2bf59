package sweep

import "github.com/skewsim/skewsim/scenarios/term"

// The stages at which a sweep writes.
const (
	StageMixed      = "upgrading 1/2"
	StageOld        = "old"
	StageNew        = "new"
	StageRolledBack = "rolled-back"
)

// Stages are where the writes of an object go.
type Stages struct {
	Created string // where it is created
	Mixed   string // where both releases are met: the first that has the other release's servers
	Typed   string // where clients of the other release write through the object's own
	Alone   string // where the other release serves alone; "" if that is Mixed
}

// StagesOf returns the stages of an object of that release. With one definition at a time, no stage
// has both releases: the object meets the other release's definition alone.
func StagesOf(release term.Role, oneDefinition bool) Stages {
	switch {
	case release == term.New && oneDefinition:
		return Stages{Created: StageNew, Mixed: StageRolledBack, Typed: StageNew}
	case release == term.New:
		return Stages{Created: StageMixed, Mixed: StageMixed, Typed: StageMixed, Alone: StageRolledBack}
	case oneDefinition:
		return Stages{Created: StageOld, Mixed: StageNew, Typed: StageOld}
	}
	return Stages{Created: StageOld, Mixed: StageMixed, Typed: StageMixed, Alone: StageNew}
}
