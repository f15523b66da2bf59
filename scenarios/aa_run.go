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

// AASuffix follows the scenario's name in the name of its A/A run.
func AASuffix(role term.Role) string { return "-aa-" + string(role) }

// AARun returns the scenario of an A/A run: one release is both the old and the new one, so
// nothing changes and every finding is a fault of the simulator or of that release. The new
// scenario has no constraints, expectations or mutants, and both releases have the options of
// the given one.
//
// AARun leaves out what describes a difference between releases: lines that declare an answer
// and lines of older clients. For the old release, and for a new release that emulates another,
// it also leaves out whatever may use the change: treated forms, values that lines set and
// patch, and API versions that lines use. It returns an error if nothing is left to play.
func (s *Scenario) AARun(role term.Role) (*Scenario, error) {
	p := *s
	p.Name = s.Name + AASuffix(role)
	p.About = fmt.Sprintf("An A/A run of %s: the %s release is both the old and the new one, so nothing may be found.", s.Name, role)
	p.AA = role
	p.Releases.Old, p.Releases.New, p.Expect, p.Mutants = "", "", nil, nil
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
		return nil, fmt.Errorf("%s: nothing is left for an A/A run of the %s release: %s", s.File, role,
			"it needs an object with a bystander's form, and a line that creates it and declares no answer")
	}
	return &p, nil
}

// SaysOld reports whether options of the new release name the old one, as the emulated or the
// minimum compatibility version.
func (o Options) SaysOld() bool {
	return o.EmulatedVersion == string(term.Old) || o.MinCompatibilityVersion == string(term.Old)
}

// WithOld returns the options with a version, such as 1.36, in place of the word old.
func (o Options) WithOld(version string) Options {
	for _, at := range []*string{&o.EmulatedVersion, &o.MinCompatibilityVersion} {
		if *at == string(term.Old) {
			*at = version
		}
	}
	return o
}

// LacksExpect reports whether the file has no key expect. An A/A run expects no finding without
// that key.
func (s *Scenario) LacksExpect() bool {
	_, given := s.Lines["expect"]
	return !given && s.AA == ""
}

// untreat leaves each object only its bystander form, which does not use the change.
func untreat(objects map[string]Object) {
	for name, o := range objects {
		o.Treated = ""
		objects[name] = o
		if o.Bystander == "" {
			delete(objects, name)
		}
	}
}

// plays reports whether the A/A run of a release, which may lack the change, includes a line.
func (s *Scenario) plays(l Line, lacks bool) bool {
	_, name := l.VerbKey()
	_, has := s.Objects[name]
	if slices.ContainsFunc(l.Then, func(next Line) bool { return !s.plays(next, lacks) }) {
		return false
	}
	uses := l.Set != "" || l.Patch != "" || slices.ContainsFunc(l.APIVersion, func(v string) bool { return !term.Discovers(v) })
	older := slices.ContainsFunc(l.Client, func(c term.Client) bool {
		of, typed := c.Role()
		return typed && of == term.Older // a field that the client's types leave out is not a fault of the release
	})
	return has && l.Respond == nil && !older && !(lacks && uses)
}

// keep removes the other lines of play and renumbers the places of those that remain.
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
