package precheck

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/schema"
)

// planCheck compares a plan with what both releases publish.
type planCheck struct {
	known *fleet.Known
	where func(file, field string) string // the place of a field in an object file
}

// checkFields reports, before the roll-out, fields that neither release publishes: a server
// drops them with a warning at most, and the run would show nothing. It skips mutants,
// which may know fields that they do not publish, chains, where other legs may know the
// field, and A/A runs, where the release that is left out may.
func (pc *planCheck) checkFields() error {
	if p := pc.known.Plan; p.Mutant != nil || p.Leg != nil || p.AA != "" {
		return nil
	}
	var problems []error
	for _, file := range slices.Sorted(maps.Keys(pc.known.Plan.Manifests)) {
		problems = append(problems, pc.unknownFields(file)...)
	}
	problems = append(problems, pc.checkSteps()...)
	problems = append(problems, pc.checkLines()...)
	return errors.Join(append(problems, pc.checkExpected()...)...)
}

func declares(r *scenarios.Respond, field string) bool {
	said := fmt.Sprintf("unknown field %q", field)
	return r.Code >= 400 || slices.ContainsFunc(r.Warnings, func(text string) bool { return strings.Contains(said, text) })
}

// kindsOf returns what each release publishes for a manifest's kind in one version, and
// what its clients know.
func (pc *planCheck) kindsOf(m plan.Manifest, apiVersion string) (kinds []schema.Kind) {
	for _, role := range []term.Role{term.Old, term.New} {
		for _, s := range pc.schemas(role) {
			if k, ok := s.Kind(apiVersion, m.Kind); ok {
				kinds = append(kinds, k)
			}
		}
	}
	return kinds
}

// schemas are what a release publishes, and what its clients have types of if that differs:
// for definitions that an upgrade forgot.
func (pc *planCheck) schemas(role term.Role) []*schema.Schema {
	all := []*schema.Schema{pc.known.ByRole[role].Schema, pc.known.ByRole[role].Types}
	return slices.DeleteFunc(all, func(s *schema.Schema) bool { return s == nil })
}

// everyKindOf is kindsOf for all versions that were asked for.
func (pc *planCheck) everyKindOf(m plan.Manifest) (kinds []schema.Kind) {
	group := schema.GroupOf(m.APIVersion)
	for _, role := range []term.Role{term.Old, term.New} {
		for gv := range pc.known.ByRole[role].Said.Schemas {
			if schema.GroupOf(gv) != group {
				continue
			}
			for _, s := range pc.schemas(role) {
				if k, ok := s.Kind(gv, m.Kind); ok {
					kinds = append(kinds, k)
				}
			}
		}
	}
	return kinds
}
