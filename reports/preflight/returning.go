package preflight

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
)

// beyond is a list of writes that there is no clean way back from, with what it begins with.
type beyond struct {
	Text   string
	Writes []string
	// First is the first write of kinds of which there are no objects today, or that was not seen to happen; below 1:
	// none is folded for that.
	First int
}

// maxGates is how many gates a line names: preflight.json has all.
const maxGates = 6

// unnamed says what the list of writes lacks: the gates that no field names; "" for none.
func unnamed(h preflight.Hop) string {
	if len(h.Gates) == 0 {
		return ""
	}
	var all []string
	for _, g := range h.Gates[:min(maxGates, len(h.Gates))] {
		all = append(all, fmt.Sprintf("%s (%s → %s)", g.Name, stateOf(g.Old), stateOf(&g.New)))
	}
	if more := len(h.Gates) - maxGates; more > 0 {
		all = append(all, fmt.Sprintf("and %d more in %s", more, Data))
	}
	return fmt.Sprintf("Gates that are on by default in %s alone, and that no field names, may permit what %s refuses; those that decide what is stored come first: %s.",
		version(h.To), version(h.From), strings.Join(all, ", "))
}

// stateOf is the stage and the default of a gate in one release.
func stateOf(s *preflight.GateState) string {
	switch {
	case s == nil:
		return "none"
	case s.Default:
		return s.Stage + " on"
	}
	return s.Stage + " off"
}

// returning says whether there is a way back: first what today's objects have already, and then the other
// writes, those of kinds first of which there are objects today.
func returning(h preflight.Hop) []beyond {
	set, other, exist := []string{}, []preflight.Threshold{}, map[[2]string]bool{}
	for _, k := range h.Kinds {
		exist[[2]string{k.Group, k.Kind}] = k.Objects > 0
	}
	for _, t := range h.PointOfNoReturn {
		if t.Objects > 0 {
			set = append(set, write(t)+fate(h, t))
		} else {
			other = append(other, t)
		}
	}
	// First what happens without anybody's doing to objects of today, then what somebody may set in these, then the rest.
	// API servers have run on the copy: a status that they alone write was never seen to be written.
	rank := func(t preflight.Threshold) int {
		switch {
		case t.Writable > 0 && !writtenByServers(t):
			return 0
		case (t.Kind == "" || exist[[2]string{t.Group, t.Kind}]) && t.Writable == 0:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(other, func(a, b preflight.Threshold) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Writable, a.Writable))
	})
	text := today(h)
	var all []beyond
	if len(set) > 0 {
		all = append(all, beyond{Text: text + ":", Writes: set})
		text = "Nor is there a clean way back once"
	} else {
		text += "; you cannot go back cleanly once"
	}
	switch {
	case len(other) > 0:
		writes := []string{}
		for _, t := range other {
			writes = append(writes, write(t))
		}
		first := slices.IndexFunc(other, func(t preflight.Threshold) bool { return rank(t) == 2 })
		all = append(all, beyond{Text: text, Writes: writes, First: first})
	case len(set) == 0:
		all = append(all, beyond{Text: today(h) + "; no write is known after which you cannot go back cleanly."})
	}
	if text := unnamed(h); text != "" {
		all = append(all, beyond{Text: text})
	}
	return all
}

// writtenByServers reports whether API servers write the status of a kind, and no controller or kubelet does.
func writtenByServers(t preflight.Threshold) bool {
	return slices.Contains([]string{"apiextensions.k8s.io CustomResourceDefinition", "apiregistration.k8s.io APIService", "flowcontrol.apiserver.k8s.io FlowSchema", "flowcontrol.apiserver.k8s.io PriorityLevelConfiguration"}, t.Group+" "+t.Kind)
}

// fate says what happens on the way back to the values that objects have already, as findings say it; "" if none
// is about them.
func fate(h preflight.Hop, t preflight.Threshold) string {
	var all []string
	for _, part := range []struct {
		outcome term.Outcome
		word    string
	}{{term.Frozen, "refused"}, {term.Lost, "lost"}, {term.Changed, "changed"}, {term.MeansOther, "kept, and may mean something else"}} {
		if slices.ContainsFunc(h.Findings, func(f preflight.Finding) bool {
			return f.Outcome == part.outcome && f.Direction == preflight.Back && t.Concerns(f)
		}) {
			all = append(all, part.word)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "; on the way back: " + strings.Join(all, ", or ")
}

// today says whether today's objects can go back.
func today(h preflight.Hop) string {
	if h.Set > 0 {
		named := "The findings on the way back name the objects"
		if !h.Played(preflight.Back) {
			named = "The way back was not played to its end"
		}
		return fmt.Sprintf("Today's objects have values already that do not go back cleanly: %s a value that %s does not know, or drops or refuses in new objects. %s", term.Counted(h.Set, "object has", "objects have"), version(h.From), named)
	}
	n := 0
	for _, k := range h.Kinds {
		n += k.Objects
	}
	read := "For the " + term.Numbered(n, "object") + " that were read"
	if n == 1 {
		read = "For the object that was read"
	}
	switch h.Back {
	case preflight.Attention:
		return read + ", you can go back, with the warnings below"
	case preflight.Blocked:
		return read + ", there are errors on the way back already"
	case preflight.Unknown, "":
		return "For today's objects it is unknown whether you can go back"
	}
	return read + ", you can go back"
}

// write is a write that there is no clean way back from, with how many objects have its value already.
func write(t preflight.Threshold) string {
	text, set := t.What, ""
	if t.Objects > 0 {
		text = strings.TrimPrefix(text, preflight.Writer(t.Path)+" ")
		text, _, _ = strings.Cut(text, " to what needs ")
		set = ": set already in " + term.Numbered(t.Objects, "object")
	}
	if t.Gate != "" && !strings.Contains(text, " "+t.Gate) {
		text += " (" + map[bool]string{false: "gate", true: "gates"}[strings.Contains(t.Gate, ", ")] + " " + t.Gate + ")"
	}
	if t.Writable > 0 && t.Objects == 0 {
		set = fmt.Sprintf(": %s a place for it", term.Counted(t.Writable, "of today's objects has", "of today's objects have"))
	}
	return text + set
}
