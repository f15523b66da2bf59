package diff

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/suggest"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Filter chooses differences.
type Filter struct {
	// Kinds are names of kinds, with their group or without: Deployment, Deployment.apps. None:
	// all.
	Kinds []string
	// Paths are fields, such as .spec.containers[].image: differences of them, and of what is within
	// them. None: all.
	Paths []string
	// Gates are names of feature gates: differences of them, and of what is behind them. None: all.
	Gates []string
	// Only are the kinds of differences. None: all.
	Only []term.DifferenceKind
}

// Apply returns a result with the differences that a filter chooses, each with the places that
// the filter names.
func (f Filter) Apply(r Result) Result {
	chosen := []Difference{}
	for _, d := range r.Differences {
		if len(f.Only) > 0 && !slices.Contains(f.Only, d.Difference) {
			continue
		}
		if of, is := f.of(r, d); is {
			chosen = append(chosen, of)
		}
	}
	r.Differences = chosen
	return r
}

// Check returns an error if no difference is of a kind, of a field or of a gate that the filter names.
func (f Filter) Check(r Result) error {
	if err := errors.Join(f.checkPaths(r), f.CheckGates(r)); err != nil {
		return err
	}
	known := map[string]bool{}
	unknown := slices.Clone(f.Kinds)
	for _, d := range r.Differences {
		for _, p := range slices.Concat(d.kinds(), d.UsedBy) {
			known[p.Kind] = true
		}
		unknown = slices.DeleteFunc(unknown, func(name string) bool {
			_, is := (Filter{Kinds: []string{name}}).of(r, d)
			return is
		})
	}
	if len(unknown) == 0 {
		return nil
	}
	return fmt.Errorf("%s: no difference is of this kind%s", unknown[0], others(unknown[0], slices.Sorted(maps.Keys(known)), "of"))
}

// CheckGates returns an error if no difference is of a gate that the filter names.
func (f Filter) CheckGates(r Result) error {
	known := map[string]bool{}
	for _, d := range r.Differences {
		for _, g := range d.Gates {
			known[g.Name] = true
		}
	}
	for _, name := range f.Gates {
		if !known[name] {
			return fmt.Errorf("%s: no difference is of this feature gate, nor behind it%s", name, others(name, slices.Sorted(maps.Keys(known)), "of"))
		}
	}
	return nil
}

// others says which of the known words is meant, or which there are.
func others(wanted string, known []string, of string) string {
	if len(known) == 0 {
		return ": the releases differ in none"
	}
	if near := nearest(wanted, known); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	if len(known) > maxNamed {
		known = append(known[:maxNamed:maxNamed], "and others")
	}
	return fmt.Sprintf("; there are some %s %s", of, strings.Join(known, ", "))
}

// nearest returns the known word, or the beginning of a known path, that is spelled as the wanted one but
// for dots and brackets, or has the same letters, or nearly so; "" for none.
func nearest(wanted string, known []string) string {
	fields := slices.Clone(known)
	for _, k := range known {
		for i, c := range k {
			if i > 0 && c == '.' && !slices.Contains(fields, k[:i]) {
				fields = append(fields, k[:i])
			}
		}
	}
	plain := func(at string) string {
		return strings.NewReplacer("[", "", "]", "", "{", "", "}", "").Replace(strings.Trim(at, "."))
	}
	letters := func(at string) string { return string(slices.Sorted(slices.Values([]rune(strings.ToLower(at))))) }
	for _, spelled := range []func(string) string{plain, letters} {
		if i := slices.IndexFunc(fields, func(k string) bool { return spelled(k) == spelled(wanted) }); i >= 0 {
			return fields[i]
		}
	}
	return suggest.Nearest(wanted, fields)
}

// maxNamed is how many kinds or fields an error names.
const maxNamed = 8

func (f Filter) checkPaths(r Result) error {
	for _, wanted := range f.Paths {
		var known []string
		found := false
		for _, d := range (Filter{Kinds: f.Kinds}).Apply(r).Differences {
			for _, p := range d.kinds() {
				found = found || d.isAt(p, wanted)
				if p.Path != "" && !slices.Contains(known, p.Path) {
					known = append(known, p.Path)
				}
			}
		}
		if found {
			continue
		}
		return fmt.Errorf("%s: no difference is at this field%s", wanted, others(wanted, known, "at"))
	}
	return nil
}

// of returns a difference with the places of the kinds and fields that the filter names, the first of which
// represents it. False: it has no such place.
func (f Filter) of(r Result, d Difference) (Difference, bool) {
	if len(f.Gates) > 0 && !slices.ContainsFunc(d.Gates, func(g Gate) bool { return slices.Contains(f.Gates, g.Name) }) {
		return d, false
	}
	if len(f.Kinds)+len(f.Paths) == 0 {
		return d, true
	}
	of := f.placesOf(d, Place.IsOf)
	if len(of) == 0 { // what an object contains may differ where another kind has a template of it
		of = f.placesOf(d, r.isWithin)
	}
	if len(of) == 0 {
		isUser := slices.ContainsFunc(d.UsedBy, func(p Place) bool { return slices.ContainsFunc(f.Kinds, p.IsOf) })
		if isUser && len(f.Paths) == 0 {
			d.Places, d.Playable = nil, false // the fields behind the gate are of other kinds
		}
		return d, isUser && len(f.Paths) == 0
	}
	if len(d.Places) > 0 {
		d.Places = of
	}
	if d.Kind != "" {
		d.Group, d.Version = split(of[0].APIVersion)
		d.Kind, d.Path = of[0].Kind, of[0].Path
	}
	return d, true
}

// placesOf returns the places of a difference that the filter names; isOf decides whether a place is of a kind.
func (f Filter) placesOf(d Difference, isOf func(Place, string) bool) []Place {
	return slices.DeleteFunc(slices.Clone(d.kinds()), func(p Place) bool {
		ofKind := len(f.Kinds) == 0 || slices.ContainsFunc(f.Kinds, func(name string) bool { return isOf(p, name) })
		return !ofKind || len(f.Paths) > 0 && !slices.ContainsFunc(f.Paths, func(field string) bool { return d.isAt(p, field) })
	})
}

// kinds returns the places of a difference: its own kind, if it has no others.
func (d Difference) kinds() []Place {
	if len(d.Places) > 0 || d.Kind == "" {
		return d.Places
	}
	return []Place{{APIVersion: strings.TrimPrefix(d.Group+"/"+d.Version, "/"), Kind: d.Kind, Path: d.Path}}
}

// isWithin reports whether a place is in what a kind's objects are made of, where another kind has a template of
// them.
func (r Result) isWithin(p Place, name string) bool {
	for at, of := range r.parts {
		if at.APIVersion == p.APIVersion && at.Kind == p.Kind && p.isAt(at.Path) && of.IsOf(name) {
			return true
		}
	}
	return false
}

// isAt reports whether a difference is at a field in one of its places, or within it. What is added or removed has
// all fields that are within it.
func (d Difference) isAt(p Place, field string) bool {
	whole := d.Difference == term.FieldAdded || d.Difference == term.FieldRemoved
	return p.isAt(field) || whole && Place{Path: field}.isAt(p.Path)
}

// isAt reports whether a place is a field, or within it.
func (p Place) isAt(field string) bool {
	return p.Path == field || strings.HasPrefix(p.Path, field+".") || strings.HasPrefix(p.Path, field+"[")
}

// IsOf reports whether a place is of a kind: Deployment, Deployment.apps.
func (p Place) IsOf(name string) bool {
	kind, group, grouped := strings.Cut(name, ".")
	of, _ := split(p.APIVersion)
	return p.Kind == kind && (!grouped || of == group)
}
