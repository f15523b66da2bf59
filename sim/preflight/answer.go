package preflight

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// Grade sets the grades of both directions, and the sentences that say them. What nobody accepted
// decides the grade.
func (h *Hop) Grade(from Source) {
	h.Answers = nil
	for i, f := range h.Findings {
		h.Findings[i].Blocks = f.Outcome == term.Uncreatable && from.Kind == Manifests
	}
	if !h.Rollback {
		h.Up = h.graded(Up, from)
		h.Answers = append(h.Answers, h.sentence(Up, from))
	}
	h.Back = h.graded(Back, from)
	h.Answers = append(h.Answers, h.sentence(Back, from))
}

// Played reports whether a direction was played to its end. Of a hop that ended early, the way up was if anything of
// the way back is there. The way up of a rollback is not asked for, and so nothing of it is missing.
func (h Hop) Played(d Direction) bool {
	if h.Ended {
		return d == Up && (h.Rollback || slices.ContainsFunc(h.Phases, func(p Phase) bool { return !slices.Contains([]string{PhaseBaseline, PhaseBeside, PhaseAlone}, p.Name) }))
	}
	last := PhaseAlone
	if d == Back {
		last = PhaseWritten
	}
	return slices.ContainsFunc(h.Phases, func(p Phase) bool { return p.Name == last }) || h.Rollback && d == Up
}

// unread returns the objects that the first release already does not show.
func (h *Hop) unread() map[string]bool {
	all := map[string]bool{}
	for _, f := range h.Baseline {
		if f.Name != "" && f.Write == "" && (f.Outcome == term.Undecodable || f.Outcome == term.Unserved || f.Outcome == term.Indeterminate) {
			all[f.object()] = true
		}
	}
	return all
}

// Unread returns how many objects the first release already does not show, by group and kind.
func (h *Hop) Unread() map[[2]string]int {
	unread, all := h.unread(), map[[2]string]int{}
	for _, f := range h.Baseline {
		if unread[f.object()] {
			delete(unread, f.object()) // it has several findings
			all[[2]string{f.Group, f.Kind}]++
		}
	}
	return all
}

// undecided returns the objects of which the first release already shows nothing, and no error that says why: neither
// release serves their kind, or no answer decides it.
func (h *Hop) undecided() map[string]bool {
	all := map[string]bool{}
	for _, f := range h.Baseline {
		if f.Kind != "" && f.Write == "" && (f.Outcome == term.Indeterminate || f.Unserved) && f.counts() {
			all[f.object()] = true
		}
	}
	return all
}

// unwritable returns the objects that the first release already shows, and refuses to write.
func (h *Hop) unwritable() map[string]bool {
	all, unread := map[string]bool{}, h.unread()
	for _, f := range h.Baseline {
		if f.Kind != "" && f.Outcome == term.Frozen && !unread[f.object()] {
			all[f.object()] = true
		}
	}
	return all
}

// total is how many objects were judged.
func (h *Hop) total() (n int) {
	for _, k := range h.Kinds {
		n += k.Objects
	}
	return n
}

// objectsOf returns how many objects of a kind are counted.
func (h *Hop) objectsOf(kind string) (n int) {
	for _, k := range h.Kinds {
		if k.Kind == kind {
			n += k.Objects
		}
	}
	return n
}

// unseen reports whether a direction says nothing of the source, because most objects or all were not
// taken or not read.
func (h *Hop) unseen(from Source) bool {
	all := h.total() + from.NotTaken
	return all == 0 || 2*(len(h.unread())+from.NotTaken) > all
}

// object identifies the object of a finding.
func (f Finding) object() string {
	return f.Group + " " + f.Kind + " " + f.Namespace + "/" + f.Name
}

func (h *Hop) graded(d Direction, from Source) Grade {
	grade := Ready
	if !h.Played(d) || h.unseen(from) || len(from.notJudged())+len(h.undecided()) > 0 {
		grade = Unknown
	}
	if h.degraded() && worse(Attention, grade) {
		grade = Attention
	}
	for _, f := range h.Findings {
		if g := f.grade(); f.Direction == d && f.counts() && worse(g, grade) {
			grade = g
		}
	}
	return grade
}

// WayBack returns the grade of the whole way back over several hops, and the older releases of the steps that decide
// it, newest first. Each step is played by itself, on what its newer release has stored, so a clean way back says that
// no step loses or refuses anything. False: there is one hop, or none.
func (r Result) WayBack() (grade Grade, at []Build, is bool) {
	if len(r.Hops) < 2 {
		return "", nil, false
	}
	grade = Ready
	for _, h := range slices.Backward(r.Hops) {
		back := h.Back
		if back == "" {
			back = Unknown // not played
		}
		switch {
		case back == Ready:
		case worse(back, grade):
			grade, at = back, []Build{h.From}
		case back == grade:
			at = append(at, h.From)
		}
	}
	return grade, at, true
}

func worse(a, b Grade) bool {
	order := []Grade{Ready, Unknown, Attention, Blocked}
	return slices.Index(order, a) > slices.Index(order, b)
}

// sentence says what was found in a direction, and what is not covered.
func (h *Hop) sentence(d Direction, from Source) string {
	to, way := h.To.Version, "Up"
	if d == Back {
		to, way = h.From.Version, "Back"
	}
	objects, accepted, touched, lists, own, pods := map[term.Outcome]map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, f := range h.Findings {
		if f.Direction != d {
			continue
		}
		name := f.object()
		if f.Name != "" && h.objectsOf(f.Kind) > 0 { // a configuration that is left out of the copy is not counted
			touched[name] = true
		}
		switch {
		case f.OfServers:
			own[name] = true
			continue
		case !f.counts():
			accepted[name] = true
			continue
		case f.Kind != "" && f.Name == "": // of no object
			lists[name] = true
			continue
		}
		if f.Outcome == term.Frozen && f.Write == string(reading.Template) { // the object itself can be written
			pods[name] = true
			continue
		}
		if objects[f.Outcome] == nil {
			objects[f.Outcome] = map[string]bool{}
		}
		objects[f.Outcome][name] = true
	}
	var parts []string
	if n := len(lists); n > 0 {
		parts = append(parts, "LIST of "+term.Numbered(n, "kind")+" fails")
	}
	for _, c := range Outcomes() {
		if n := len(objects[c]); n > 0 {
			parts = append(parts, clause(c, n))
		}
		if n := len(pods); c == term.Frozen && n > 0 {
			parts = append(parts, term.Counted(n, "object makes pods that are refused", "objects make pods that are refused"))
		}
	}
	if n := len(accepted); n > 0 {
		parts = append(parts, "findings of "+term.Numbered(n, "object")+" are accepted")
	}
	if n := len(own); n > 0 {
		parts = append(parts, "findings of "+term.Numbered(n, "object")+" that servers make by themselves do not count")
	}
	text := fmt.Sprintf("%s to %s: ", way, to)
	if len(parts) > 0 {
		text += strings.Join(parts, ", ") + ". "
	}
	if !h.Played(d) {
		return text + "Not played to its end" + h.stopped() + "."
	}
	already, n := h.already(touched)
	read := "objects"
	if len(from.Skipped) > 0 {
		read += " that were read"
	}
	if h.unseen(from) {
		text += fmt.Sprintf("Unknown, because %d of %s were not taken or not read. ", len(h.unread())+from.NotTaken, term.Numbered(h.total()+from.NotTaken, "object"))
	}
	return text + fmt.Sprintf("No finding in %d of %d %s%s%s%s.", h.total()-len(touched)-n, h.total(), read, already, h.unclear(from), from.uncovered())
}

// unclear says what is not known of a direction that was played, and why: it does not hide that the rest is fine.
// "" for nothing.
func (h *Hop) unclear(from Source) (text string) {
	if n := len(h.undecided()); n > 0 && !h.unseen(from) {
		text = fmt.Sprintf("; unknown for %s that no answer shows", term.Numbered(n, "object"))
	}
	if all := from.notJudged(); len(all) > 0 {
		for i, what := range all {
			all[i] += from.reason(what)
		}
		text += "; unknown for what was not read or not taken: " + strings.Join(few(all), ", ")
	}
	return text
}

// reason returns why something was not taken, in brackets; "" if the source does not say so in a few words.
func (s Source) reason(of string) string {
	const most = 80
	for _, text := range s.Skipped {
		if why, is := strings.CutPrefix(text, of+": "); is && len(why) <= most {
			return " (" + why + ")"
		}
	}
	return ""
}

// few returns the first of many, with how many there are more.
func few(all []string) []string {
	const most = 4
	if more := len(all) - most; more > 0 {
		return append(slices.Clip(all[:most]), fmt.Sprintf("%d more", more))
	}
	return all
}

// stopped says which release did not start on today's objects, or that the preflight ended early; "" if a
// later release did not start. A server that serves without being ready stops nothing.
func (h *Hop) stopped() string {
	stops := func(f Finding) bool { return f.Outcome == term.NotReady && f.Path == "" && !f.Serves }
	if i := slices.IndexFunc(h.Baseline, stops); i >= 0 && len(h.Phases) == 0 {
		return ": " + h.Baseline[i].Release + " itself does not become ready on these objects"
	}
	if h.Ended && !slices.ContainsFunc(h.Findings, stops) {
		return ": the preflight ended early"
	}
	return ""
}

// already says what is broken for the first release already: objects beside those that have a finding, and itself.
func (h *Hop) already(touched map[string]bool) (text string, all int) {
	for _, part := range []struct {
		what    string
		objects map[string]bool
	}{{"read", h.unread()}, {"written", h.unwritable()}} {
		n := 0
		for name := range part.objects {
			if !touched[name] {
				n++
			}
		}
		if n > 0 {
			text += fmt.Sprintf("; %s cannot be %s already", term.Numbered(n, "object"), part.what)
		}
		all += n
	}
	if h.degraded() {
		text += "; " + h.first().Version + " does not become ready on these objects already"
	}
	return text, all
}

// degraded reports whether the first release serves these objects without being ready.
func (h *Hop) degraded() bool {
	return slices.ContainsFunc(h.Baseline, func(f Finding) bool { return f.Serves })
}

// first is the release that the objects come from.
func (h *Hop) first() Build {
	if h.Rollback {
		return h.To
	}
	return h.From
}

// uncovered says in short what else a source does not cover, and that what it never shows is not decided; "" for
// nothing. What else manifests have is no object, or there in a later version.
func (s Source) uncovered() (text string) {
	known := s.notJudged()
	if all := slices.DeleteFunc(s.skipped(), func(what string) bool { return slices.Contains(known, what) }); len(all) > 0 && s.Kind != Manifests {
		text = "; not covered: " + strings.Join(few(all), ", ")
	}
	if len(s.CannotSee) > 0 {
		text += fmt.Sprintf("; indeterminate: what %s cannot show", s.Kind.InWords())
	}
	return text
}

// skipped returns what was not taken, each once.
func (s Source) skipped() (all []string) {
	for _, text := range s.InOrder() {
		what, _, _ := strings.Cut(text, ": ")
		if !slices.Contains(all, what) {
			all = append(all, what)
		}
	}
	return all
}

// InOrder returns what was not taken, each with the reason: workloads first, then what else has objects, and what
// expires within hours last.
func (s Source) InOrder() []string { return s.inOrder(s.Skipped) }

func (s Source) inOrder(all []string) []string {
	rank := func(text string) int {
		what, _, _ := strings.Cut(text, ": ")
		switch {
		case slices.Contains(workloads(), what):
			return 0
		case slices.Contains(expiring(), what):
			return 3
		case slices.Contains(s.NotRead, what):
			return 1
		}
		return 2
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b string) int { return rank(a) - rank(b) })
	return all
}

// notJudged returns what was not read, each once and workloads first, without what expires.
func (s Source) notJudged() (all []string) {
	for _, what := range s.inOrder(s.NotRead) {
		if !slices.Contains(expiring(), what) && !slices.Contains(all, what) {
			all = append(all, what)
		}
	}
	return all
}

// workloads are the resources of what runs in a cluster, and of what keeps it running.
func workloads() []string {
	return []string{
		"pods", "replicationcontrollers", "deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch", "cronjobs.batch",
		"poddisruptionbudgets.policy",
	}
}

// expiring are the resources whose objects expire, or are made anew.
func expiring() []string {
	return []string{"events", "events.events.k8s.io", "leases.coordination.k8s.io", "endpoints", "endpointslices.discovery.k8s.io"}
}

// clause says how many objects have an outcome.
func clause(c term.Outcome, n int) string {
	if c == term.NotReady {
		return "a server does not become ready"
	}
	words := map[term.Outcome][2]string{
		term.Undecodable: {"cannot be read", "cannot be read"}, term.Unserved: {"is of a kind that is not served", "are of kinds that are not served"},
		term.Frozen: {"cannot be written", "cannot be written"}, term.PartlyFrozen: {"cannot be changed", "cannot be changed"},
		term.Uncreatable: {"cannot be created anew", "cannot be created anew"}, term.Lost: {"loses a value when it is written", "lose a value when they are written"},
		term.Restarted: {"has pods that will restart", "have pods that will restart"}, term.MeansOther: {"may mean something else", "may mean something else"},
		term.Changed: {"is served with another value", "are served with other values"}, term.Hidden: {"hides a value", "hide a value"},
		term.Indeterminate: {"could not be judged", "could not be judged"},
	}[c]
	if n == 1 {
		return "1 object " + words[0]
	}
	return fmt.Sprintf("%d objects %s", n, words[1])
}

// Conclude marks the hop in which the preflight ended early.
func (r *Result) Conclude() {
	if n := len(r.Hops); n > 0 && r.Ended != "" {
		r.Hops[n-1].Ended = true
		r.Hops[n-1].Grade(r.Source)
	}
}
