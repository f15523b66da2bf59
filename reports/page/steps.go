package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// sentence describes a step of the plan. It shows no value that a change sends: the
// evidence does, and knows what to withhold.
func sentence(s plan.Step) string {
	switch s.Action {
	case plan.Start:
		return fmt.Sprintf("start replica %s at the %s release", s.Replica, s.Role)
	case plan.Replace:
		return fmt.Sprintf("replace replica %s: from here on it runs the %s release", s.Replica, s.Role)
	case plan.Prepare:
		return "create the namespace"
	case plan.Rewrite:
		return "write every object that an earlier leg left, and this one does not take over, again as it is"
	case plan.Watch:
		return "open a WATCH of every kind through every replica"
	case plan.Observe:
		return "list every kind through every replica"
	case plan.Attempt:
		return "try to write and delete every object through every replica, as a dry run"
	case plan.Trial:
		return "have each release read, on a scratch store, what it has not been seen to read"
	case plan.Stop:
		if s.Replica != "" {
			return "stop replica " + s.Replica
		}
		return "stop every replica"
	case plan.Operate:
		return operation(s)
	}
	return string(s.Action)
}

// operation describes what a client does.
func operation(s plan.Step) string {
	if s.Adoption() {
		return fmt.Sprintf("take over %s as an earlier leg left it, via %s", s.Copy, replicaAt(s.Via, s.ViaRole))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", s.Verb, cmp.Or(s.Copy, s.Object)) // a list is about all of the object's copies
	if s.Client != "" {
		fmt.Fprintf(&b, " by %s", s.Client)
	}
	if s.Read != "" {
		fmt.Fprintf(&b, ", read %s", replicaAt(s.Read, s.ReadRole))
	}
	if s.Via != "" {
		fmt.Fprintf(&b, ", via %s", replicaAt(s.Via, s.ViaRole))
	}
	if s.Change != nil {
		fmt.Fprintf(&b, ": %s", change(*s.Change))
	}
	return b.String()
}

// replicaAt names a replica and the release it runs.
func replicaAt(replica string, role term.Role) string {
	if role == "" {
		return replica
	}
	return fmt.Sprintf("%s (%s)", replica, role)
}

// changeWords describes what a change is about.
func change(m plan.Change) string {
	text := string(m.Kind)
	if len(m.Names) > 0 {
		text += " " + strings.Join(m.Names, ", ")
	}
	return text
}

// gates writes gates in their alphabetical order: A=true, B=false.
func gates(m map[string]bool) string {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		texts = append(texts, fmt.Sprintf("%s=%t", name, m[name]))
	}
	return strings.Join(texts, ", ")
}
