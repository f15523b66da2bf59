package session

import (
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/sweep"
)

// ofKinds returns the differences of the kinds that the user named. Names that no difference has
// are the user's error, which lists those that have some.
func ofKinds(all []diff.Difference, names []string) ([]diff.Difference, error) {
	if len(names) == 0 {
		return all, nil
	}
	var chosen []diff.Difference
	used, known := map[string]bool{}, map[string]bool{}
	for _, d := range all {
		places := d.Places
		if len(places) == 0 && d.Kind != "" {
			places = []diff.Place{{APIVersion: strings.TrimPrefix(d.Group+"/"+d.Version, "/"), Kind: d.Kind, Path: d.Path}}
		}
		of := slices.DeleteFunc(slices.Clone(places), func(p diff.Place) bool { return !named(p, names, used) })
		for _, p := range places {
			known[p.Kind] = true
		}
		if len(of) > 0 {
			chosen = append(chosen, at(d, of))
		}
	}
	for _, name := range names {
		if !used[name] {
			return nil, fault.Optionf("{kind} %s: no difference is of this kind; there are some of %s", name, strings.Join(sorted(known), ", "))
		}
	}
	return chosen, nil
}

// at returns a difference with some of its places, the first of which represents it.
func at(d diff.Difference, places []diff.Place) diff.Difference {
	d.Places = places
	group, version, cut := strings.Cut(places[0].APIVersion, "/")
	if !cut {
		group, version = "", group
	}
	d.Group, d.Version, d.Kind, d.Path = group, version, places[0].Kind, places[0].Path
	return d
}

// named reports whether a place is of one of the kinds, and marks the names that fit.
func named(p diff.Place, names []string, used map[string]bool) (is bool) {
	group, _, cut := strings.Cut(p.APIVersion, "/")
	if !cut {
		group = ""
	}
	for _, name := range names {
		kind, of, grouped := strings.Cut(name, ".")
		if kind == p.Kind && (!grouped || of == group) {
			used[name], is = true, true
		}
	}
	return is
}

// mostStored is how many kinds a pair may serve for all of them to get a baseline. A server with
// more plays the kinds that differ.
const mostStored = 25

// storedKinds returns the kinds that both releases serve and store; none if there are many.
func storedKinds(s *session) (all []sweep.Kind) {
	served := served(s.plain)
	for _, k := range served[term.Old] {
		group, _, _ := strings.Cut(k.APIVersion, "/")
		of := s.request.Kinds
		wanted := len(of) == 0 || slices.Contains(of, k.Kind) || slices.Contains(of, k.Kind+"."+group)
		if wanted && slices.Contains(served[term.New], k) {
			all = append(all, k)
		}
	}
	if len(all) > mostStored {
		return nil
	}
	return all
}

// served returns the kinds that each release serves and stores at default settings.
func served(plain map[term.Role]published.Release) map[term.Role][]sweep.Kind {
	all := map[term.Role][]sweep.Kind{}
	for role, release := range plain {
		for _, r := range release.Resources {
			if isStored(r) {
				all[role] = append(all[role], sweep.Kind{APIVersion: r.APIVersion, Kind: r.Kind})
			}
		}
	}
	return all
}

// isStored reports whether objects of a resource can be created and read.
func isStored(r published.Resource) bool {
	return len(r.Verbs) == 0 || slices.Contains(r.Verbs, "create") && slices.Contains(r.Verbs, "get")
}

// removed returns the fields of a kind that the new release lacks: objects that have them are
// the rows' own.
func removed(rows []sweep.Row, t sweep.Target) (fields []string) {
	for _, r := range rows {
		for _, p := range r.Places {
			if r.Difference.Difference == term.FieldRemoved && p.APIVersion == t.APIVersion && p.Kind == t.Kind {
				fields = append(fields, p.Path)
			}
		}
	}
	return fields
}

func sorted(set map[string]bool) (names []string) {
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
