package preflight

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
)

// gradeWord is a grade in the words of providers.
func gradeWord(g preflight.Grade) string {
	switch g {
	case preflight.Ready:
		return "passing"
	case preflight.Attention:
		return "warning"
	case preflight.Blocked:
		return "error"
	}
	return "unknown"
}

// gradeSign is the shape beside a grade's word, so that readers need not distinguish colours.
func gradeSign(g preflight.Grade) string {
	switch g {
	case preflight.Ready:
		return "✓"
	case preflight.Attention:
		return "!"
	case preflight.Blocked:
		return "✗"
	}
	return "?"
}

// outcome is an outcome as readers see it.
type outcome struct {
	Word    term.Outcome `json:"word"`
	Label   string       `json:"label"`
	Sign    string       `json:"sign"`
	Meaning string       `json:"meaning"`
}

// outcomes are those that a preflight reports, worst first.
func outcomes() (all []outcome) {
	for _, word := range preflight.Outcomes() {
		all = append(all, outcomeOf(word))
	}
	return all
}

// outcomeOf returns how an outcome is shown. One that a later release wrote is its word.
func outcomeOf(word term.Outcome) outcome {
	return outcome{word, strings.ReplaceAll(string(word), "-", " "), view.Shape(word), term.Outcomes().Meaning(word)}
}

// answer is the answer for one direction of a hop.
type answer struct {
	Direction preflight.Direction
	Grade     preflight.Grade
	Sentence  string
}

// answers returns the answers of the directions that were asked for.
func answers(h preflight.Hop) (all []answer) {
	if !h.Rollback {
		all = append(all, answer{Direction: preflight.Up, Grade: h.Up})
	}
	all = append(all, answer{Direction: preflight.Back, Grade: h.Back})
	for i := range all {
		if i < len(h.Answers) {
			all[i].Sentence = h.Answers[i]
		} else {
			all[i].Sentence = "Not played."
		}
	}
	return all
}

// directionWord is where an object is taken.
func directionWord(h preflight.Hop, d preflight.Direction) string {
	if d == preflight.Up {
		return "up to " + version(h.To)
	}
	return "back to " + version(h.From)
}

// where is the direction of a cause, or the release that is broken before any upgrade.
func where(h preflight.Hop, c Cause) string {
	if c.Baseline {
		return "on " + first(h) + " already"
	}
	return directionWord(h, c.Direction)
}

// first is the release that the objects of a hop come from.
func first(h preflight.Hop) string {
	if h.Rollback {
		return version(h.To)
	}
	return version(h.From)
}

// baselineTitle is the heading of what is broken for the first release alone.
func baselineTitle(h preflight.Hop) string { return "Broken already on " + first(h) }

// pair is the title of a hop, in the order in which it is asked for.
func pair(h preflight.Hop) string {
	if h.Rollback {
		return version(h.To) + " → " + version(h.From)
	}
	return version(h.From) + " → " + version(h.To)
}

// title is the title of a preflight: its first and last release.
func title(r preflight.Result) string {
	if len(r.Hops) == 0 {
		return "nothing played"
	}
	first, last := r.Hops[0], r.Hops[len(r.Hops)-1]
	if first.Rollback {
		return pair(first)
	}
	return version(first.From) + " → " + version(last.To)
}

func version(b preflight.Build) string {
	return cmp.Or(b.Version, b.Reference, "an unknown release")
}

// object is a kind with its group: Deployment.apps.
func object(group, kind string) string {
	return strings.Trim(cmp.Or(kind, "server")+"."+group, ".")
}

// place is what a cause is about.
func place(c Cause) string { return strings.TrimSpace(object(c.Group, c.Kind) + " " + c.Path) }

// name is an owner with its namespace.
func (o Owner) name() string {
	if o.Namespace == "" {
		return o.Name
	}
	return o.Name + " in " + o.Namespace
}

// names returns the first objects of an owner, in one line; "" if the owner is the only one.
func (o Owner) names(most int) string {
	if len(o.Objects) == 1 && strings.HasSuffix(o.Name, " "+o.Objects[0]) {
		return ""
	}
	shown := strings.Join(o.Objects[:min(most, len(o.Objects))], ", ")
	if more := len(o.Objects) - most; more > 0 {
		shown += fmt.Sprintf(" and %d more", more)
	}
	return shown
}

// owners returns the first owners of a cause, in one line.
func (c Cause) owners(most int) string {
	var all []string
	for _, o := range c.Owners[:min(most, len(c.Owners))] {
		text := o.name()
		if names := o.names(most); names != "" {
			text += " (" + names + ")"
		}
		all = append(all, text)
	}
	if more := len(c.Owners) - most; more > 0 {
		all = append(all, term.Counted(more, "more owner", "more owners"))
	}
	return strings.Join(all, "; ")
}

// count is how many objects a cause has.
func (c Cause) count() string {
	if c.Kind == "" {
		return "" // it is about a server
	}
	text := term.Numbered(c.Objects, "object")
	switch c.Earlier {
	case 0:
		return text
	case c.Objects:
		return text + " (as in the earlier preflight)"
	}
	return text + fmt.Sprintf(" (%d as in the earlier preflight)", c.Earlier)
}

// managed says where the fix belongs; "" if nothing says who manages the objects.
func (c Cause) managed() string {
	if len(c.Managers) == 0 {
		return ""
	}
	return "managed by " + strings.Join(c.Managers, ", ") + ": fix it there"
}

// fix says what made the finding go away on the copy, or that no fix is known.
func (c Cause) fix() string {
	if len(c.Fixes) == 0 {
		return "no fix known"
	}
	return "fix: " + strings.Join(c.Fixes, "; ")
}

// remedy says who accepts the cause, and where to fix what, in one line.
func (c Cause) remedy() string {
	all := slices.DeleteFunc([]string{c.Accepted, c.managed(), c.fix()}, func(text string) bool { return text == "" })
	return strings.Join(all, " · ")
}

// remarks are the answer for the whole way back, and what the findings were held against, one line each.
func remarks(r preflight.Result) []string {
	grade, at, is := r.WayBack()
	if !is {
		return held(r)
	}
	why := "no step back has a finding that counts"
	if len(at) > 0 {
		steps := make([]string, len(at))
		for i, b := range at {
			steps[i] = version(b)
		}
		why = "the step back to " + strings.Join(steps, ", and that to ")
	}
	text := fmt.Sprintf("%s The whole way back, %s → %s: %s: %s. Each step was played by itself, on what its newer release stores.",
		gradeSign(grade), version(r.Hops[len(r.Hops)-1].To), version(r.Hops[0].From), gradeWord(grade), why)
	return append([]string{text}, held(r)...)
}

// held says what the findings were held against, one line each.
func held(r preflight.Result) (all []string) {
	if s := r.Since; s != nil {
		all = append(all, fmt.Sprintf("Compared with %s: %s, %d gone.", s.File, term.Counted(s.New, "new finding", "new findings"), s.Gone))
	}
	return append(all, r.Notes...)
}

// defaultedTitle is the heading of the fields that the newer release fills in.
const defaultedTitle = "Filled in by the newer release"

// defaultedLine is a field that the newer release fills in, with how many objects.
func defaultedLine(d preflight.Default) string {
	return object(d.Group, d.Kind) + " " + d.Path + ": " + term.Numbered(d.Objects, "object")
}

// deletedTitle is the heading of what servers deleted.
const deletedTitle = "Deleted by servers themselves"

// deletedLine is an object that a server deleted by itself.
func deletedLine(h preflight.Hop, d preflight.Deleted) string {
	text := object(d.Group, d.Kind) + " " + strings.TrimPrefix(d.Namespace+"/"+d.Name, "/") + ": " + phaseWord(h, d.Phase)
	if d.By != "" {
		text += "; deleted by " + d.By
	}
	return text
}

// writtenTitle is the heading of what servers wrote.
const writtenTitle = "Written by servers themselves, and not counted"

// ephemeralLine counts the findings about ephemeral objects in one line; "" for none.
func ephemeralLine(all []preflight.Finding) string {
	kinds, seen := map[string]int{}, map[[5]string]bool{}
	for _, f := range all {
		key := [...]string{string(f.Outcome), f.Group, f.Kind, f.Namespace, f.Name}
		if !seen[key] {
			seen[key] = true
			kinds[f.Kind+" "+outcomeOf(f.Outcome).Label]++
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	return "Objects that expire or are made anew: " + counts(kinds) + "."
}

// counts are numbers by name, in one line.
func counts(of map[string]int) string {
	var all []string
	for _, k := range slices.Sorted(maps.Keys(of)) {
		all = append(all, fmt.Sprintf("%s %d", k, of[k]))
	}
	return strings.Join(all, ", ")
}

// outcomesOf returns the outcomes that kinds have, worst first.
func outcomesOf(kinds []preflight.Kind) (all []outcome) {
	for _, c := range outcomes() {
		if slices.ContainsFunc(kinds, func(k preflight.Kind) bool { return k.Outcomes[c.Word] > 0 }) {
			all = append(all, c)
		}
	}
	return all
}

// harmed returns the kinds with a finding, and how many kinds and objects have none.
func harmed(kinds []preflight.Kind) (found []preflight.Kind, others, objects int) {
	for _, k := range kinds {
		if len(k.Outcomes) > 0 {
			found = append(found, k)
			continue
		}
		others, objects = others+1, objects+k.Objects
	}
	return found, others, objects
}

// othersLine says how many kinds have no finding.
func othersLine(others, objects int) string {
	return fmt.Sprintf("Kinds without a finding: %d, with %s.", others, term.Numbered(objects, "object"))
}

// judged says how many objects of the source are judged, where that is fewer; "" if nothing is to be said.
func judged(r preflight.Result) string {
	n := 0
	if len(r.Hops) == 0 || len(r.Hops[0].Kinds) == 0 {
		return ""
	}
	for _, k := range r.Hops[0].Kinds {
		n += k.Objects
	}
	if n >= r.Source.Objects {
		return ""
	}
	return fmt.Sprintf("; %d of these are judged: objects that servers write or delete by themselves are not counted", n)
}

// source says where the objects came from.
func source(s preflight.Source) string {
	if s.Kind == "" {
		return "it was not read"
	}
	text := fmt.Sprintf("%s of %s", term.Numbered(s.Objects, "object"), s.Kind.InWords())
	if s.Release != "" {
		text += ", taken as objects of " + s.Release
	}
	if s.Stated != "" {
		text += " (according to " + s.Stated + ")"
	}
	return text
}
