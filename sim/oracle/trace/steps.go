package trace

import (
	"cmp"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// StagedStep is a step with its stage.
type StagedStep struct {
	Step       plan.Step // in the version that it used, where its client discovered one
	Signature  string    // of the step as planned
	Stage      string
	StageIndex int // of the stage
	// Program is the release whose program ran during the stage; "": none.
	Program term.Role
}

// StagedSteps returns the steps of the plan by number.
func StagedSteps(h *history.History) map[int]StagedStep {
	all := map[int]StagedStep{}
	manifests := map[string]plan.Manifest{} // by copy
	objects := map[string]plan.Manifest{}   // of a LIST, which has no copy
	for _, c := range h.Header.Plan.Copies {
		manifests[c.Name] = h.Header.Plan.Manifests[c.Manifest]
		if _, known := objects[c.Object]; !known {
			objects[c.Object] = manifests[c.Name]
		}
	}
	for i, stage := range h.Header.Plan.Stages {
		program, _ := h.Header.Plan.ProgramAt(stage.Name)
		for _, step := range stage.Steps {
			sign := step.Signature()
			if step.Discovers != "" {
				m, known := manifests[step.Copy]
				if !known {
					m = objects[step.Object]
				}
				step.APIVersion = h.Releases[step.Discovers].Discovered(m.APIVersion, m.Kind)
			}
			all[step.Number] = StagedStep{step, sign, stage.Name, i, program}
		}
	}
	return all
}

// VersionOf returns the apiVersion that a step uses.
func VersionOf(tl *Timeline, step plan.Step) string {
	return cmp.Or(step.APIVersion, tl.Manifest.APIVersion)
}

// OtherVersion reports whether the step uses another apiVersion than the copy's own.
func OtherVersion(tl *Timeline, step plan.Step) bool {
	return step.APIVersion != "" && step.APIVersion != tl.Manifest.APIVersion
}
