package precheck

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/suggest"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/schema"
)

// Fault returns that the error is the user's.
func (e *KindError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }

// KindError reports that neither release serves an object's kind, or that no serving
// release can create it or read it.
type KindError struct {
	At, APIVersion, Kind string   // At is the file, with the line if it is known
	Versions             []string // of the releases
	Lacks                string   // the verb that no release offers for the kind: create, get; "": the kind is not served
	Hint                 string   // a suggestion
}

// Error names the file, the kind and what to do.
func (e *KindError) Error() string {
	if e.Lacks != "" {
		return fmt.Sprintf("%s: kind %q of apiVersion %q offers no %s in %s, and a run needs a kind that is stored",
			e.At, e.Kind, e.APIVersion, e.Lacks, strings.Join(e.Versions, " or "))
	}
	return fmt.Sprintf("%s: kind %q of apiVersion %q is %s: %s", e.At, e.Kind, e.APIVersion, servedByNone(e.Versions), e.Hint)
}

// servedByNone says that no release serves something.
func servedByNone(versions []string) string {
	if len(versions) == 1 {
		return "not served by " + versions[0]
	}
	return "served by neither " + strings.Join(versions, " nor ")
}

// checkKinds reports, before the roll-out, kinds that no release serves.
func (pc *planCheck) checkKinds() error {
	var problems []error
	for _, file := range slices.Sorted(maps.Keys(pc.known.Plan.Manifests)) {
		if problem := pc.checkKind(file, pc.known.Plan.Manifests[file]); problem != nil {
			problems = append(problems, problem)
		}
	}
	return errors.Join(problems...)
}

func (pc *planCheck) checkKind(file string, m plan.Manifest) error {
	e := &KindError{APIVersion: m.APIVersion, Kind: m.Kind, Versions: pc.known.Versions()}
	offered := map[string]bool{}
	served, elsewhere := false, false
	for _, role := range []term.Role{term.Old, term.New} {
		r, ok := pc.known.Resource(role, m.APIVersion, m.Kind)
		served = served || ok
		_, followed := pc.known.Reached(role, m)
		elsewhere = elsewhere || followed
		for _, verb := range []string{"create", "get"} {
			offered[verb] = offered[verb] || ok && fleet.Offers(r, verb)
		}
	}
	switch {
	case !served && elsewhere && pc.known.Plan.AA != "":
		return nil // the release that is left out may serve it; its steps are skipped
	case !served:
		var field string
		field, e.Hint = pc.meantKind(m)
		e.At = pc.where(file, field)
	case !offered["create"]:
		e.At, e.Lacks = pc.where(file, "kind"), "create"
	case !offered["get"]:
		e.At, e.Lacks = pc.where(file, "kind"), "get"
	default:
		return nil
	}
	return e
}

// meantKind returns a suggestion for a kind that is not served, and which field of the
// object's file is wrong then.
func (pc *planCheck) meantKind(m plan.Manifest) (field, hint string) {
	var known []client.ServedKind
	for _, role := range []term.Role{term.Old, term.New} {
		known = append(known, pc.known.ByRole[role].Kinds...)
	}
	var elsewhere, siblings, versions []string
	for _, k := range known {
		switch {
		case k.APIVersion == m.APIVersion:
			siblings = append(siblings, k.Kind)
		case k.Kind == m.Kind:
			elsewhere = append(elsewhere, k.APIVersion)
		}
		versions = append(versions, k.APIVersion)
	}
	const off = "correct it, or switch the version on with runtimeConfig"
	if elsewhere = unique(elsewhere); len(elsewhere) > 0 {
		return "apiVersion", fmt.Sprintf("it is served as %s; %s", strings.Join(elsewhere, ", "), off)
	}
	if near := suggest.Nearest(m.Kind, unique(siblings)); near != "" {
		return "kind", fmt.Sprintf("did you mean %q?", near)
	}
	if near := nearKind(m, known); near != nil {
		return "kind", fmt.Sprintf("did you mean kind %q of apiVersion %q?", near.Kind, near.APIVersion)
	}
	if near := suggest.Nearest(m.APIVersion, unique(versions)); near != "" && near != m.APIVersion {
		return "apiVersion", fmt.Sprintf("did you mean %q? that has no such kind either", near)
	}
	return "kind", off
}

// nearKind returns a suggestion if the version is wrong too: a kind with a similar name in
// the version's group, or in a group with a similar name.
func nearKind(m plan.Manifest, known []client.ServedKind) *client.ServedKind {
	var groups []string
	for _, k := range known {
		groups = append(groups, schema.GroupOf(k.APIVersion))
	}
	group := schema.GroupOf(m.APIVersion)
	if groups = unique(groups); !slices.Contains(groups, group) {
		group = suggest.Nearest(group, groups)
	}
	of := slices.DeleteFunc(slices.Clone(known), func(k client.ServedKind) bool { return schema.GroupOf(k.APIVersion) != group })
	var names []string
	for _, k := range of {
		names = append(names, k.Kind)
	}
	near := suggest.Nearest(m.Kind, unique(names))
	of = slices.DeleteFunc(of, func(k client.ServedKind) bool { return k.Kind != near })
	if near == "" {
		return nil
	}
	return &of[0]
}

func unique(all []string) []string { return slices.Compact(slices.Sorted(slices.Values(all))) }
