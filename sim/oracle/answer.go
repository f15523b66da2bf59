package oracle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// answer sums up a run in one sentence, for readers who read nothing else: what happened to which
// fields, which release did it, whether a rule was broken and whether the scenario expects that, and what
// happened to objects that do not use the change. Expected findings count too.
func answer(h *history.History, res *result.Result) string {
	p := &h.Header.Plan
	parts := append(whatBecame(h, res, writesOf(h)), result.RulesBroken(res.Findings))
	if others := ofOthers(p, res); others != "" {
		parts = append(parts, others)
	}
	text := strings.Join(parts, "; ")
	if res.Verdict == term.Unknown {
		text = "not everything could be judged; so far " + text
	}
	return text
}

// writes are the steps that wrote and were answered, each with the role of its copy. Creates
// count only if a finding is about a create: they put no stored value at risk.
type writes map[int]struct {
	role    term.CopyRole
	creates bool
}

// of counts the writes on copies of some roles whose verb occurs among the steps that findings
// are about, and those steps.
func (w writes) of(roles map[term.CopyRole]bool, steps map[int]bool) (total, these int) {
	creates, others := false, false
	for number := range steps {
		if one, wrote := w[number]; wrote {
			these++
			creates, others = creates || one.creates, others || !one.creates
		}
	}
	for _, one := range w {
		if roles[one.role] && (one.creates && creates || !one.creates && others) {
			total++
		}
	}
	return total, these
}

func writesOf(h *history.History) writes {
	roles := map[string]term.CopyRole{}
	for _, c := range h.Header.Plan.Copies {
		roles[c.Name] = c.Role
	}
	steps, all := trace.StagedSteps(h), writes{}
	for _, op := range h.Operations {
		if step := steps[op.Step].Step; op.Purpose == history.Act && op.Exchange.Code > 0 && step.Verb.Writes() {
			one := all[op.Step]
			one.role, one.creates = roles[op.Copy], step.CreatesCopy()
			all[op.Step] = one
		}
	}
	return all
}

// maxStates and maxPaths bound the states in the sentence, and the paths of each.
const (
	maxStates = 3
	maxPaths  = 2
)

// whatBecame describes each state, the worst first.
func whatBecame(h *history.History, res *result.Result, wrote writes) (parts []string) {
	left, losses := 0, lostAt(res.Findings)
	for _, state := range term.RunOutcomes().Words() {
		found := slices.DeleteFunc(slices.Clone(res.Findings), func(f result.Finding) bool {
			return string(f.Outcome) != state || f.Outcome == term.Changed && f.Cause == term.Defaulted && losses[placeOf(f)]
		})
		switch {
		case len(found) == 0:
		case len(parts) == maxStates:
			left += len(found)
		default:
			parts = append(parts, became(h, found, wrote))
		}
	}
	if left > 0 {
		parts = append(parts, term.Numbered(left, "more finding"))
	}
	if len(parts) == 0 {
		return []string{"nothing was lost, changed or refused in " + term.Numbered(len(wrote), "write")}
	}
	return parts
}

// lostAt returns the places of losses: a default that replaced a lost value is not another fact
// in a one-sentence summary.
func lostAt(findings []result.Finding) map[string]bool {
	all := map[string]bool{}
	for _, f := range findings {
		if f.Outcome == term.Lost {
			all[placeOf(f)] = true
		}
	}
	return all
}

func placeOf(f result.Finding) string { return fmt.Sprint(f.Step, " ", f.Copy, " ", f.Path) }

// byWrites has the states that a write causes, with their words.
var byWrites = map[term.Outcome]string{
	term.Lost: "lost", term.Changed: "changed", term.Dropped: "dropped as it was sent", term.Refused: "refused",
	term.Accepted: "accepted with the feature gate off", term.Withdrawn: "removed as requested",
}

// otherwise has the words of the other states: every state is here or in byWrites.
var otherwise = map[term.Outcome]string{
	term.Undecodable: "cannot be read", term.Frozen: "can no longer be written", term.Resurrected: "reappeared after a rollback",
	term.Failed: "met calls that failed", term.Outage: "could not be reached while no program ran", term.Panicked: "met a server that panicked", term.Hidden: "stayed stored and hidden",
	term.Varies: "differed between servers", term.Indeterminate: "may be hidden or lost", term.Kept: "stayed as acknowledged",
}

// became says what happened to fields in a state: in how many writes and by whom, or on how many
// objects.
func became(h *history.History, found []result.Finding, wrote writes) string {
	steps, copies, roles := map[int]bool{}, map[string]bool{}, map[term.CopyRole]bool{}
	for _, f := range found {
		steps[f.Step], copies[f.Copy], roles[f.CopyRole] = true, true, true
	}
	total, these := wrote.of(roles, steps)
	state := found[0].Outcome
	subject, verb := subjectOf(found)
	word, written := byWrites[state]
	switch {
	case !written:
		return fmt.Sprintf("%s %s%s", subject, otherwise[state], objectsIn(copies))
	case copies[""] || these == 0:
		return fmt.Sprintf("%s %s %s%s", subject, verb, word, objectsIn(copies))
	}
	return fmt.Sprintf("%s %s %s in %d of %s%s", subject, verb, word, these, term.Numbered(total, "write"), doers(h, found))
}

// objectsIn counts the objects that findings are about, by their names; the name for a finding
// about a whole kind is empty.
func objectsIn(copies map[string]bool) string {
	switch {
	case !copies[""]:
		return fmt.Sprintf(" (%s)", term.Numbered(len(copies), "object"))
	case len(copies) == 1:
		return ""
	}
	return fmt.Sprintf(" (%s, and the kind as a whole)", term.Numbered(len(copies)-1, "object"))
}

// subjectOf names the paths of findings, or their kinds if findings are about whole objects.
func subjectOf(found []result.Finding) (subject, verb string) {
	var names []string
	for _, f := range found {
		name := "`" + f.Path + "`"
		if f.Path == "" {
			name = cmp.Or(f.Kind, "what is stored")
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	verb = "were"
	if len(names) == 1 {
		verb = "was"
	}
	if more := len(names) - maxPaths; more > 0 {
		names = append(names[:maxPaths], term.Numbered(more, "more field"))
	}
	last := len(names) - 1
	if last == 0 {
		return names[0], verb
	}
	return strings.Join(names[:last], ", ") + " and " + names[last], verb
}

// doers names the release that caused findings, "" if several did.
func doers(h *history.History, found []result.Finding) string {
	versions, what := map[string]bool{}, map[string]bool{}
	for _, f := range found {
		role, kind := doerOf(f)
		versions[versionIn(h, role)], what[kind] = true, true
	}
	if len(versions) != 1 || versions[""] {
		return ""
	}
	kinds := "clients"
	if what["servers"] {
		kinds = "servers"
		if what["clients"] {
			kinds = "servers or clients"
		}
	}
	for version := range versions {
		return fmt.Sprintf(", all by %s %s", version, kinds)
	}
	return ""
}

// doerOf returns the release and the kind of who caused a finding, no release if that is unknown.
// The server that answered refuses, whatever another server or a client did to the body before.
func doerOf(f result.Finding) (role term.Role, kind string) {
	if f.Outcome == term.Refused && f.Cause != term.Misread {
		return f.Via, "servers"
	}
	switch f.Cause {
	case term.ReadHidden:
		return f.Read, "servers"
	case term.ClientOmitted, term.ListReplaced, term.ApplyReleased, term.Misread:
		of, _ := f.Client.Role()
		return of, "clients"
	}
	return f.Via, "servers"
}

// versionIn returns the name of a release, "" for none.
func versionIn(h *history.History, role term.Role) string {
	if role == term.Older {
		return h.Header.Plan.Clients
	}
	r, known := h.Releases[role]
	if !known {
		return ""
	}
	return h.Header.Plan.Title(role, r.Version)
}

// ofOthers says what happened to objects that do not use the change; "" if none exist, or if that
// is not known. They are untouched if each finding is about an object that uses the change: a
// finding about a whole kind is about all objects of the kind.
func ofOthers(p *plan.Plan, res *result.Result) string {
	compared, others := 0, 0
	users := usersOf(p)
	for _, f := range res.Findings {
		switch {
		case f.CopyRole == term.Bystander || f.CopyRole == term.Control:
			compared++
		case !users[f.Copy]:
			others++
		}
	}
	switch {
	case compared > 0:
		return term.Numbered(compared, "finding") + " about objects that serve only for comparison"
	case res.Verdict == term.Unknown || len(res.Findings) == 0 || others > 0:
		return ""
	case slices.ContainsFunc(p.Copies, func(c plan.Copy) bool { return c.Role == term.Bystander }):
		return "objects that do not use it are untouched"
	}
	return ""
}

// usersOf returns the copies that use the change: treated ones, and untouched ones of the same
// manifests.
func usersOf(p *plan.Plan) map[string]bool {
	treated, users := map[string]bool{}, map[string]bool{}
	for _, c := range p.Copies {
		if c.Role == term.Treated {
			treated[c.Manifest] = true
		}
	}
	for _, c := range p.Copies {
		users[c.Name] = c.Role == term.Treated || c.Role == term.Untouched && treated[c.Manifest]
	}
	return users
}
