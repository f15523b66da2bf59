package blame

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// outage is what failed at one stage, of one object of the scenario, because no program ran.
type outage struct {
	step, calls int // the first step, and how many calls failed
	from, until float64
	role        term.Role
	replica     string
	methods     map[string]int
}

// place is where an outage is.
type place struct{ stage, object, kind string }

// WithoutOutages returns a history without the reads, lists and dry runs that failed because no program
// ran: they say nothing of what is stored, and what is wrong later is found there. Calls that were
// played stay. It returns the history itself where there are none.
func WithoutOutages(h *history.History) *history.History {
	silent := func(op history.Operation) bool {
		return op.Purpose != history.Act && trace.ProgramCause(op.Exchange) == term.NoProgram
	}
	unlisted := func(l history.Listing) bool { return trace.ProgramCause(l.Exchange) == term.NoProgram }
	if !slices.ContainsFunc(h.Operations, silent) && !slices.ContainsFunc(h.Listings, unlisted) {
		return h
	}
	told := *h
	told.Operations = slices.DeleteFunc(slices.Clone(h.Operations), silent)
	told.Listings = slices.DeleteFunc(slices.Clone(h.Listings), unlisted)
	return &told
}

// Outages puts one finding for each stage and object in the place of all that come of a program
// which was absent: calls that need it fail, whatever the releases are, and succeed again when it is
// back. It is an impact, and counts the calls of the whole history and dates them. What was acknowledged
// before an outage is judged after it, as everything is.
func Outages(ev *trace.Evidence, h *history.History, all []result.Finding) []result.Finding {
	found := map[place]*outage{}
	for _, op := range h.Operations {
		if tl := ev.ByCopy[op.Copy]; tl != nil {
			count(ev, found, tl.Copy.Object, tl.Manifest.Kind, op.Step, op.Replica, op.Role, op.At, op.Exchange)
		}
	}
	for _, l := range h.Listings {
		count(ev, found, "", l.Kind, l.Step, l.Replica, l.Role, l.At, l.Exchange)
	}
	withKinds(found)
	all = slices.DeleteFunc(all, func(f result.Finding) bool { return f.Cause == term.NoProgram })
	for _, at := range slices.SortedFunc(maps.Keys(found), byPlace(found)) {
		all = append(all, found[at].finding(ev, at))
	}
	return all
}

// byPlace orders outages by when they began, and those that began at once by name.
func byPlace(found map[place]*outage) func(a, b place) int {
	return func(a, b place) int {
		return cmp.Or(cmp.Compare(found[a].step, found[b].step), strings.Compare(a.kind, b.kind), strings.Compare(a.object, b.object))
	}
}

// count adds a call, if it failed for want of a program.
func count(ev *trace.Evidence, found map[place]*outage, object, kind string, step int, replica string, role term.Role, at float64, x history.Exchange) {
	if trace.ProgramCause(x) != term.NoProgram {
		return
	}
	key := place{ev.Steps[step].Stage, object, kind}
	o := found[key]
	if o == nil {
		o = &outage{step: step, from: at - x.Seconds, replica: replica, role: role, methods: map[string]int{}}
		found[key] = o
	}
	o.calls++
	o.from, o.until = min(o.from, at-x.Seconds), max(o.until, at)
	o.methods[x.Method]++
}

// withKinds adds the LISTs of a kind, which are of no object, to the object of that kind that failed
// first. They remain where no object did.
func withKinds(found map[place]*outage) {
	order := slices.SortedFunc(maps.Keys(found), byPlace(found))
	for _, at := range order {
		i := slices.IndexFunc(order, func(o place) bool { return o.object != "" && o.stage == at.stage && o.kind == at.kind })
		if at.object != "" || i < 0 {
			continue
		}
		to, lists := found[order[i]], found[at]
		to.calls, to.from, to.until, to.step = to.calls+lists.calls, min(to.from, lists.from), max(to.until, lists.until), min(to.step, lists.step)
		for method, n := range lists.methods {
			to.methods[method] += n
		}
		delete(found, at)
	}
}

func (o *outage) finding(ev *trace.Evidence, at place) result.Finding {
	var methods []string
	for _, m := range slices.Sorted(maps.Keys(o.methods)) {
		methods = append(methods, fmt.Sprintf("%d %s", o.methods[m], m))
	}
	version := ev.History.Releases[o.role].Version
	return result.Finding{
		Check: term.CheckEverythingDecodes, Rule: term.RuleStorage, Class: term.Impact, Outcome: term.Outage, Cause: term.NoProgram,
		Object: at.object, Kind: at.kind, Step: o.step, Stage: at.stage, Via: o.role, Replica: o.replica, Release: version,
		Message: fmt.Sprintf("%s: at stage %s %s through %s failed for %.1fs (%s), since no program ran beside the servers; what was acknowledged before is judged after this outage",
			at.kind, at.stage, term.Counted(o.calls, "call", "calls"), version, o.until-o.from, strings.Join(methods, ", ")),
	}
}
