package play

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/probe"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/sweep"
)

// unruled is a kind whose objects a webhook converts in a release, while no file has its rules. Its definitions
// are installed with the version alone in which they store objects, which needs no conversion.
type unruled struct {
	name, kind, group string
	// releases are those that lack its rules, old or new.
	releases []string
	// version is that in which both releases store objects, or the only one that has the kind; "": objects
	// would have to be converted.
	version string
}

// findUnruled finds the kinds without rules, and has their definitions installed as they store objects.
func (s *session) findUnruled(ctx context.Context) error {
	if s.host.Manifests == nil {
		return nil
	}
	sets := map[term.Role]crd.Set{}
	var names []string
	for _, role := range term.Roles() {
		if s.refs[role.Word].Scheme != servers.SchemeManifests {
			return nil
		}
		set, err := s.host.Manifests(ctx, s.refs[role.Word])
		if err != nil {
			return nil // the build has the error
		}
		sets[role.Word], names = set, append(names, set.Unruled...)
		s.kustomizations = append(s.kustomizations, set.Kustomization)
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		u := unruledOf(name, sets)
		for _, role := range term.Roles() {
			if slices.Contains(sets[role.Word].Unruled, name) {
				u.releases = append(u.releases, string(role.Word))
			}
		}
		s.unruled = append(s.unruled, u)
	}
	for role, ref := range s.refs {
		full := probe.Source{Manifests: func(context.Context, servers.Reference) (crd.Set, error) { return sets[role], nil }}
		defined, err := full.Define(ctx, ref)
		if err != nil {
			return fault.ByUser(err)
		}
		s.defined[role] = defined
		ref.Manifests.Stored = strings.Join(s.unruledNames(), ",")
		s.refs[role] = ref
	}
	return nil
}

// unruledOf returns a kind that has no rules, with the version in which its objects can be played.
func unruledOf(name string, sets map[term.Role]crd.Set) unruled {
	u := unruled{name: name}
	var stored []string
	for _, set := range sets {
		if i := slices.IndexFunc(set.Definitions, func(d crd.Definition) bool { return d.Name == name }); i >= 0 {
			d := set.Definitions[i]
			u.kind, u.group = d.Kind, d.Group
			stored = append(stored, d.Stored())
		}
	}
	if len(slices.Compact(stored)) == 1 {
		u.version = stored[0]
	}
	return u
}

func (s *session) unruledNames() (names []string) {
	for _, u := range s.unruled {
		names = append(names, u.name)
	}
	return names
}

// withUnruled returns what a release publishes with all versions of the kinds that have no rules, as its
// definitions declare them: servers have one of them.
func (s *session) withUnruled(role term.Role, r published.Release) published.Release {
	if len(s.unruled) == 0 {
		return r
	}
	of := func(x published.Resource) bool {
		return slices.Contains(s.unruledNames(), x.Plural+"."+groupOf(x.APIVersion))
	}
	defined := s.defined[role]
	r.Resources = slices.DeleteFunc(slices.Clone(r.Resources), of)
	documents, preferred := map[string][]byte{}, map[string]string{}
	for gv, document := range r.Documents {
		documents[gv] = document
	}
	for group, version := range r.Preferred {
		preferred[group] = version
	}
	for _, x := range defined.Resources {
		if !of(x) {
			continue
		}
		r.Resources = append(r.Resources, x)
		documents["~"+x.APIVersion] = defined.Documents[x.APIVersion] // what the server publishes comes first
		preferred[groupOf(x.APIVersion)] = defined.Preferred[groupOf(x.APIVersion)]
	}
	r.Documents, r.Preferred = documents, preferred
	return r
}

// leaveOutConverted takes the differences out of what is played that need a webhook without rules.
func leaveOutConverted(s *session) {
	for _, u := range s.unruled {
		for i, d := range s.scope.Whole {
			if u.isOf(d) {
				s.scope.Whole[i].Playable, s.scope.Whole[i].Places = u.playable(d)
			}
		}
		for _, rows := range [][]sweep.Row{s.rows, s.parts} {
			for i, r := range rows {
				if !u.isOf(r.Difference) {
					continue
				}
				rows[i].Playable, rows[i].Places = u.playable(r.Difference)
				rows[i].NeedsWebhook = r.Playable && !rows[i].Playable
				if rows[i].Playable && r.Kind != "" && len(rows[i].Places) > 0 { // of a whole kind: in that version
					rows[i].Version = u.version
				}
			}
		}
	}
}

// isOf reports whether a difference is of the kind, or of several kinds of which it is one.
func (u unruled) isOf(d diff.Difference) bool {
	if d.Kind != "" {
		return d.Group == u.group && d.Kind == u.kind
	}
	return slices.ContainsFunc(d.Places, u.isAt)
}

func (u unruled) isAt(p diff.Place) bool { return p.Kind == u.kind && groupOf(p.APIVersion) == u.group }

// playable reports whether a difference of the kind can be played in the version that needs no conversion, and
// returns the places that can come first, without those that cannot where there are others.
func (u unruled) playable(d diff.Difference) (bool, []diff.Place) {
	converts := d.Difference == term.StorageChanged || d.Difference == term.ConversionChanged || d.Difference == term.PreferredChanged
	at := func(p diff.Place) bool {
		return !u.isAt(p) || !converts && u.version != "" && p.APIVersion == u.group+"/"+u.version
	}
	var places []diff.Place
	for _, p := range d.Places {
		if at(p) {
			places = append(places, p)
		}
	}
	if len(d.Places) > 0 && len(places) == 0 {
		return false, d.Places
	}
	if len(d.Places) == 0 && !at(diff.Place{APIVersion: d.Group + "/" + d.Version, Kind: d.Kind}) {
		return false, nil
	}
	return d.Playable, places
}

// addUnruled says what was left out of which kinds.
func addUnruled(s *session) {
	for _, u := range s.unruled {
		left := sweep.Unconverted{Kind: u.kind + "." + u.group, Version: u.version}
		for _, r := range s.rows {
			if r.NeedsWebhook && u.isOf(r.Difference) {
				left.Differences++
			}
		}
		if !s.scope.HasKind(u.group+"/v", u.kind) {
			continue
		}
		what := "its objects are played in " + u.version + " alone, in which both releases store them"
		if u.version == "" {
			what = "no object of it is played, since the releases store it in different versions, or in one that they do not serve; its definitions are installed"
		}
		s.result.NotCompared = append(s.result.NotCompared, fmt.Sprintf("%s: a webhook converts its objects, %sand no file in the folder has its rules: %s", u.name, s.withoutEntry(u), what))
		if left.Differences > 0 {
			s.result.Unconverted = append(s.result.Unconverted, left)
		}
	}
}

// withoutEntry says which entries the program file lacks for a kind; "": there is no file.
func (s *session) withoutEntry(u unruled) string {
	if s.request.Webhooks == "" {
		return ""
	}
	return fmt.Sprintf("%s has no entry %s, ", s.request.Webhooks, strings.Join(u.releases, " and no entry "))
}

func groupOf(apiVersion string) string {
	group, _, _ := strings.Cut(apiVersion, "/")
	return group
}
