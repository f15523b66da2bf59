package act

import (
	"context"
	"maps"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/fleet"
)

// prepare decides what the act goes through, or why it cannot be executed.
func (a *act) prepare(ctx context.Context) error {
	var err error
	if a.served, a.knows, err = offered(a, a.via.Role, wanted(a.step), a.step.Part()); err != nil {
		return err
	}
	a.resource = a.actor.Known.Location(a.served)
	if err := reaches(a); err != nil {
		return err
	}
	if reason := a.actor.Declined[a.copy.Manifest]; a.step.Birth && reason != "" {
		return &notPlayed{reason}
	}
	if !a.step.Birth && a.step.Copy != "" {
		if _, exists := a.actor.created.Load(a.step.Copy); !exists {
			return skip("the copy was not created")
		}
	}
	if err := takesCondition(a); err != nil {
		return err
	}
	if err := appliesAsItStands(a); err != nil {
		return err
	}
	return chooseClient(ctx, a)
}

// appliesAsItStands refuses an apply if the manifest is not of the version that it goes
// through. An apply gives up the fields that it does not send: a manifest without a place
// for a value of that version would remove the value, though the client did not mean to.
func appliesAsItStands(a *act) error {
	if !a.step.Verb.GivesUpUnsent() {
		return nil
	}
	own, through := a.manifest.APIVersion, a.apiVersion()
	for _, role := range []term.Role{term.Old, term.New} {
		mine, is := a.actor.Known.ByRole[role].Schema.Kind(own, a.manifest.Kind)
		other, served := a.actor.Known.ByRole[role].Schema.Kind(through, a.manifest.Kind)
		if own == through || !is || !served {
			continue
		}
		leaves := mine.Leaves(a.manifest.Body)
		for _, name := range slices.Sorted(maps.Keys(leaves)) {
			if at := leaves[name].Path; mine.Declares(at) && !other.Declares(at) {
				return skip("the manifest is of another version, and an apply sends it as it stands: %s has no %s", through, name)
			}
		}
	}
	return nil
}

// offered returns what the act needs of a release, and which release offers it. What only
// the old release offers is requested of the new one too: a client that used it before the
// upgrade does not know, and the answer is evidence. What only the new release offers is
// not requested of the old one, because it is the change itself, unless a client has
// discovered it or the line names its API version: such clients ask any server.
func offered(a *act, by term.Role, verb, part string) (history.Resource, term.Role, error) {
	served, err := offer(a, by, verb, part)
	other := a.step.Discovers
	if named(a, by) {
		other = by.Other()
	}
	if by == term.New && other != term.New {
		other = term.Old
	}
	if err != nil && other != "" && other != by {
		if elsewhere, none := offer(a, other, verb, part); none == nil {
			return elsewhere, other, nil
		}
	}
	return served, by, err
}

// named reports whether the line names an API version in which a release does not serve the
// kind.
func named(a *act, by term.Role) bool {
	_, serves := a.actor.Known.Resource(by, a.apiVersion(), a.manifest.Kind)
	return a.step.APIVersion != "" && a.step.Discovers == "" && !serves
}

// offer returns what a release offers of what the act needs, or why the act is skipped.
func offer(a *act, by term.Role, verb, part string) (history.Resource, error) {
	served, ok := a.actor.Known.Resource(by, a.apiVersion(), a.manifest.Kind)
	switch {
	case !ok:
		return served, skip("%s does not serve %s %s", a.actor.Known.Version(by), a.apiVersion(), a.manifest.Kind)
	case !fleet.Offers(served, verb):
		return served, skip("%s offers no %s of %s", a.actor.Known.Version(by), verb, a.manifest.Kind)
	case part != "" && !slices.Contains(served.Subresources, part):
		return served, skip("%s has no /%s", a.manifest.Kind, part)
	}
	return served, nil
}

// reaches returns why the replica to read through lacks what the verb begins with.
func reaches(a *act) error {
	if a.step.Read == "" || a.step.Birth {
		return nil
	}
	from, err := a.actor.Fleet.Get(a.step.Read)
	if err == nil {
		_, _, err = offered(a, from.Role, "get", "")
	}
	return err
}

// wanted returns the API verb that the step needs of the kind itself; "" if it needs a
// subresource, whose verbs are separate.
func wanted(s plan.Step) string {
	switch {
	case s.Part() != "":
		return ""
	case s.Verb.AppliesClientSide() && s.Birth:
		return "create"
	}
	return s.Verb.Request()
}

// takesCondition returns why the step cannot set a condition: the kind has none.
func takesCondition(a *act) error {
	if a.step.Change == nil || a.step.Change.Kind != plan.Condition {
		return nil
	}
	kind, _ := a.actor.Known.ByRole[a.knows].Schema.Kind(a.apiVersion(), a.manifest.Kind)
	if at, err := path.Parse(a.step.Change.Names[0]); err != nil || !kind.Declares(at) {
		return skip("%s publishes no .status.conditions; name a status field with set", a.manifest.Kind)
	}
	return nil
}

// The kind that /scale serves for all scalable kinds, unless the server names another.
const (
	scaleVersion = "autoscaling/v1"
	scaleKind    = "Scale"
)

// chooseClient sets the types of the act's client: real ones if its release has them, else
// types that are approximated by its schema.
func chooseClient(ctx context.Context, a *act) error {
	apiVersion, kind := a.apiVersion(), a.manifest.Kind
	merging := a.actor.Known.Merging(a.knows, apiVersion, kind)
	a.client = client.Client{Types: client.Untyped(merging)}
	role, typed := a.step.Client.Role()
	if !typed || a.step.Verb.SendsOtherKind() { // its body is of another kind, and sent unchanged
		return nil
	}
	scales := a.step.Part() == term.ScalePart
	if scales {
		apiVersion, kind = scaleVersion, scaleKind
	}
	real, err := fleet.RealTypes(ctx, a.actor.Clients, role, apiVersion, kind)
	if err != nil {
		return err
	}
	published, declared := a.actor.Known.TypesOf(role).Kind(apiVersion, kind)
	switch {
	case real != nil:
		a.client.Types = real
	case a.step.Encoding == term.Protobuf: // else its answer would look undecodable
		return skip("%s cannot: types that are approximated by a schema have no protobuf", a.step.Client)
	case declared:
		a.client.Types = client.Approximate(published, merging)
	case !scales: // a scale has no field to drop
		return skip("%s has no types for %s %s", a.actor.Known.Version(role), apiVersion, kind)
	}
	a.client.Unpublished = role == term.Older && !scales
	if !scales && declared {
		a.client.Declares = published.Declares
	}
	return nil
}

// declares reports whether the release that the write goes through knows a path.
func (a *act) declares(p fieldpath.Path) bool {
	kind, ok := a.actor.Known.ByRole[a.via.Role].Schema.Kind(a.apiVersion(), a.manifest.Kind)
	return ok && kind.Declares(p)
}
