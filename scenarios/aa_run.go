package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
)

// AASuffix is what the name of an A/A run's scenario has behind the scenario's own.
func AASuffix(role term.Role) string { return "-placebo-" + string(role) }

// AARun returns the scenario with one release as both releases of the pair: nothing
// changes, so nothing may be found, and a finding is the simulator's own fault
// or the release's. It returns a new scenario, without constraints, expectations
// and what catches twins, both of whose ends have the options of that release.
//
// What says how releases differ is left out: lines that declare an answer, and those of
// older clients; and for the old release, or a new one that emulates another, whatever may
// use the change, which are treated forms, the values that lines set and patch, and API
// versions that lines go through.
// Error: nothing is left to play.
func (s *Scenario) AARun(role term.Role) (*Scenario, error) {
	p := *s
	p.Name = s.Name + AASuffix(role)
	p.About = fmt.Sprintf("A placebo of %s: both ends are the %s release, so nothing may be found.", s.Name, role)
	p.AA = role
	p.Releases.Old, p.Releases.New, p.Expect, p.Twins = "", "", nil, nil
	p.Old, p.New = s.Old, s.Old
	if role == term.New {
		p.Old, p.New = s.New, s.New
	}
	if given, some := s.Given[role]; some {
		p.Given = map[term.Role]Options{term.Old: given, term.New: given}
	}
	p.Objects = maps.Clone(s.Objects)
	lacks := role == term.Old || p.New.EmulatedVersion != ""
	if lacks {
		untreat(p.Objects)
	}
	p.keep(func(l Line) bool { return p.plays(l, lacks) })
	if !slices.ContainsFunc(p.Play, func(l Line) bool { return l.Create != "" }) {
		return nil, fmt.Errorf("%s: nothing is left for a placebo of the %s release: %s", s.File, role,
			"it needs an object with a bystander's form, and a line that creates it and declares no answer")
	}
	return &p, nil
}

// SaysOld tells whether options of the new release name the old one, as what its servers
// emulate or go along with.
func (o Options) SaysOld() bool {
	return o.EmulatedVersion == string(term.Old) || o.MinCompatibilityVersion == string(term.Old)
}

// WithOld is the options with a version, such as 1.36, wherever they say old.
func (o Options) WithOld(version string) Options {
	for _, at := range []*string{&o.EmulatedVersion, &o.MinCompatibilityVersion} {
		if *at == string(term.Old) {
			*at = version
		}
	}
	return o
}

// LacksExpect reports whether the file has no key expect. Of an A/A run it is known without
// that there must be no finding.
func (s *Scenario) LacksExpect() bool {
	_, given := s.Lines["expect"]
	return !given && s.AA == ""
}

// untreat leaves each object the form that does not use the change.
func untreat(objects map[string]Object) {
	for name, o := range objects {
		o.Treated = ""
		objects[name] = o
		if o.Bystander == "" {
			delete(objects, name)
		}
	}
}

// plays reports whether a line is part of the A/A run of a release, which may lack the change.
func (s *Scenario) plays(l Line, lacks bool) bool {
	_, name := l.VerbKey()
	_, has := s.Objects[name]
	if slices.ContainsFunc(l.Then, func(next Line) bool { return !s.plays(next, lacks) }) {
		return false
	}
	uses := l.Set != "" || l.Patch != "" || slices.ContainsFunc(l.APIVersion, func(v string) bool { return !term.Discovers(v) })
	older := slices.ContainsFunc(l.Client, func(c term.Client) bool {
		of, typed := c.Role()
		return typed && of == term.Older // what its types leave out is no release's doing
	})
	return has && l.Respond == nil && !older && !(lacks && uses)
}

// keep drops the other lines of play, and renumbers where the kept ones stand.
func (s *Scenario) keep(wanted func(Line) bool) {
	var lines []Line
	numbers := map[int]int{}
	for i, l := range s.Play {
		if wanted(l) {
			numbers[i] = len(lines)
			lines = append(lines, l)
		}
	}
	places := map[string]int{}
	for at, line := range s.Lines {
		inside, isLine := strings.CutPrefix(at, "play[")
		if !isLine {
			places[at] = line
			continue
		}
		number, rest, _ := strings.Cut(inside, "]")
		i, _ := strconv.Atoi(number) // the loader wrote it
		if n, kept := numbers[i]; kept {
			places[strict.Element("play", n)+rest] = line
		}
	}
	s.Play, s.Lines = lines, places
}
