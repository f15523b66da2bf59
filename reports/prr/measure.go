package prr

import (
	"maps"
	"slices"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// Measured is what one run contributes to the questions of a production readiness review.
// It is much smaller than the run.
type Measured struct {
	result   result.Result
	tool     string
	command  string
	replicas int
	turns    []rollOut
	phases   map[string]string // the turn of a stage, by the stage's name
	switches []gateSwitch
	isAA     bool
	played   playedCells
	users    int                  // objects that were created and used the change
	ends     map[term.Outcome]int // how many acknowledged values ended in which state
	stored   map[string]map[term.Outcome]int
	hidings  []hiding
	died     []history.Server
	answers  map[stepOf]answer
	kinds    []string // of the objects that use the change, sorted
	// fieldless reports that the release without the feature knows its gate and not its fields, as between
	// an alpha and a beta: what that release loses, its ignorance loses, and not a switched gate.
	fieldless bool
	name      string // distinguishes the run from the others
}

// rollOut is one roll-out of a journey.
type rollOut struct {
	name    string // upgrade, rollback, second upgrade
	rollout term.Rollout
	halted  bool // the journey stops it before its last replica
	played  bool // its last stage was seen
}

// gateSwitch is a feature gate that the run sets, with what the servers of each release
// report about it.
type gateSwitch struct {
	name     string
	old, new gateState
}

type gateState string

// What a server reports about a gate.
const (
	gateOn     gateState = "on"
	gateOff    gateState = "off"
	gateAbsent gateState = "not known"
)

// switched reports whether a roll-out switches the gate.
func (g gateSwitch) switched() bool { return (g.old == gateOn) != (g.new == gateOn) }

// toggled reports whether both releases know the gate, so that a roll-out switches it. If
// one release does not know it, a roll-out replaces the binary.
func (g gateSwitch) toggled() bool {
	return g.switched() && g.old != gateAbsent && g.new != gateAbsent
}

// on is the release that has the feature.
func (g gateSwitch) on() term.Role {
	if g.old == gateOn {
		return term.Old
	}
	return term.New
}

// playedCells counts the operations that were executed.
type playedCells struct {
	verbs   map[term.Verb]int
	clients map[term.Client]int
	mixed   int // while both releases served
	all     int
}

// Measure takes from a run what the questions need.
func Measure(r view.Run) Measured {
	r = view.Sealed(r)
	m := Measured{result: r.Result, tool: r.Tool, command: view.RepeatCommand(r), replicas: len(r.Plan.Replicas), isAA: r.Plan.AA != "", ends: map[term.Outcome]int{}}
	seen := map[string]bool{}
	for _, c := range r.Ledger.Copies {
		for _, f := range c.Fields {
			if f.Step > 0 {
				m.ends[f.Outcome]++
			}
		}
		for _, row := range c.Rows {
			seen[row.Stage] = true
		}
	}
	m.turns, m.phases = turnsOf(r.Plan, seen)
	m.hidings = hidingsOf(r.Ledger, liveReplicas(r.Plan), m.phases)
	m.switches, m.fieldless = switchesOf(r), isFieldless(r.Result.Findings)
	m.answers, m.kinds = answersTo(r.Ledger, r.Result.Findings), kindsThatUse(r.Plan)
	m.played = playedOf(r)
	m.users = usersOf(r)
	m.stored = storedIn(r, m.phases)
	for _, e := range r.Servers {
		if e.Event == history.Died {
			m.died = append(m.died, e)
		}
	}
	return m
}

// liveReplicas returns how many replicas serve at the end of each stage: with surge, fewer than the run has.
func liveReplicas(p plan.Plan) map[string]int {
	all := map[string]int{}
	for _, stage := range p.Stages {
		all[stage.Name] = len(stage.Replicas)
	}
	return all
}

// isFieldless reports whether a release did not know a field, as findings say, whose gate no server had
// switched off.
func isFieldless(findings []result.Finding) bool {
	return slices.ContainsFunc(findings, func(f result.Finding) bool { return f.Cause == term.UnknownField && f.Class == term.Impact }) &&
		!slices.ContainsFunc(findings, func(f result.Finding) bool { return f.Cause == term.GateDisabled })
}

// kindsThatUse returns the kinds of the objects that use the change.
func kindsThatUse(p plan.Plan) (kinds []string) {
	for _, c := range p.Copies {
		if kind := p.Manifests[c.Manifest].Kind; c.Role == term.Treated && kind != "" && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// turnsOf groups the stages of a plan by roll-out. Seen are the stages with any record.
func turnsOf(p plan.Plan, seen map[string]bool) (turns []rollOut, phases map[string]string) {
	phases = map[string]string{}
	count := map[term.Rollout]int{}
	for _, stage := range p.Stages {
		if stage.Rollout == "" {
			continue
		}
		if len(turns) == 0 || turns[len(turns)-1].rollout != stage.Rollout {
			count[stage.Rollout]++
			turns = append(turns, rollOut{name: ordinal(count[stage.Rollout]) + string(stage.Rollout), rollout: stage.Rollout})
		}
		last := &turns[len(turns)-1]
		last.played = seen[stage.Name]
		phases[stage.Name] = last.name
	}
	if n := len(p.Journey); n > 1 && len(turns) > 0 && scenarios.Halts(p.Journey, n-2) {
		turns[len(turns)-1].halted = true
	}
	return turns, phases
}

// ordinal returns the word before the name of the n-th roll-out of its kind.
func ordinal(n int) string {
	switch n {
	case 1:
		return ""
	case 2:
		return "second "
	case 3:
		return "third "
	}
	return "later "
}

// gateOfAll are the gates that switch all others of a stage.
var gateOfAll = map[term.GateStage]string{term.AlphaGates: "AllAlpha", term.BetaGates: "AllBeta"}

// switchesOf returns the gates that either release is started with, by name.
func switchesOf(r view.Run) []gateSwitch {
	asked := map[string]bool{}
	reported := map[term.Role]map[string]bool{}
	for _, release := range r.Plan.Releases {
		for name := range release.Options.FeatureGates {
			asked[name] = true
		}
		if name, all := gateOfAll[release.Options.Gates]; all {
			asked[name] = true
		}
	}
	for _, b := range r.Result.Builds {
		reported[b.Role] = b.Gates
	}
	var all []gateSwitch
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		all = append(all, gateSwitch{name, stateOfGate(reported[term.Old], name), stateOfGate(reported[term.New], name)})
	}
	return all
}

func stateOfGate(gates map[string]bool, name string) gateState {
	on, known := gates[name]
	switch {
	case !known:
		return gateAbsent
	case on:
		return gateOn
	}
	return gateOff
}

// playedOf counts the steps of the plan that sent a request.
func playedOf(r view.Run) playedCells {
	sent := map[int]bool{}
	for _, c := range r.Ledger.Copies {
		for _, row := range c.Rows {
			sent[row.Step] = sent[row.Step] || len(row.Requests) > 0
		}
	}
	n := playedCells{verbs: map[term.Verb]int{}, clients: map[term.Client]int{}}
	for _, stage := range r.Plan.Stages {
		mixed := slices.ContainsFunc(stage.Replicas, func(at plan.ReplicaStage) bool { return at.Role != stage.Replicas[0].Role })
		for _, step := range stage.Steps {
			if step.Action != plan.Operate || !sent[step.Number] {
				continue
			}
			n.verbs[step.Verb]++
			n.clients[step.Client]++
			n.all++
			if mixed {
				n.mixed++
			}
		}
	}
	return n
}

// level reports whether both releases of the pair are one with the same options, so that a
// roll-out changes nothing.
func (m Measured) level() bool {
	builds, releases := m.result.Builds, m.result.Releases
	same := len(builds) == 2 && builds[0].Reference == builds[1].Reference && len(releases) == 2 && releases[0] == releases[1]
	return m.isAA || same
}

// gates returns the gates that are on in one release only.
func (m Measured) gates() []gateSwitch { return m.gatesThat(gateSwitch.switched) }

// toggles returns the gates that a roll-out of the run switches, and nothing else: both releases have their
// fields.
func (m Measured) toggles() []gateSwitch { return m.gatesThat(m.toggled) }

func (m Measured) toggled(g gateSwitch) bool { return g.toggled() && !m.fieldless }

func (m Measured) gatesThat(fit func(gateSwitch) bool) (all []gateSwitch) {
	for _, g := range m.switches {
		if fit(g) {
			all = append(all, g)
		}
	}
	return all
}

// feature is the feature in question: the gates that the run switches, by the release that
// has them on; those that the other release does not know; or, without either, what the new
// release adds.
type feature struct {
	gates   []gateSwitch
	with    term.Role
	unknown bool // the other release does not know the gates, or not their fields
	// fieldless reports that it knows the gates, and not their fields.
	fieldless bool
}

func (m Measured) features() (all []feature) {
	for _, with := range []term.Role{term.New, term.Old} {
		for _, unknown := range []bool{false, true} {
			gates := m.gatesThat(func(g gateSwitch) bool { return g.switched() && g.on() == with && m.toggled(g) != unknown })
			if len(gates) > 0 {
				all = append(all, feature{gates, with, unknown, unknown && gates[0].toggled()})
			}
		}
	}
	if len(all) == 0 {
		return []feature{{with: term.New}}
	}
	return all
}

// turnsTo returns the complete roll-outs that lead from a release with the feature to one
// without it (off), or back to one with it after that (again).
func (m Measured) turnsTo(with term.Role) (off, again []string) {
	had := m.begins() == with
	for _, t := range m.turns {
		to := term.New
		if t.rollout == term.Rollback {
			to = term.Old
		}
		switch {
		case !t.played || t.halted:
			return off, again
		case had && to != with:
			off = append(off, t.name)
		case to == with && len(off) > 0:
			again = append(again, t.name)
		}
		had = to == with
	}
	return off, again
}

// begins returns the first release of the journey.
func (m Measured) begins() term.Role {
	return scenarios.Begins(m.result.Journey)
}

// check returns a check that applies to the run.
func (m Measured) check(name term.CheckName) (result.Check, bool) {
	i := slices.IndexFunc(m.result.Checks, func(c result.Check) bool { return c.Name == name })
	if i < 0 || m.result.Checks[i].Verdict == term.NotApplicable {
		return result.Check{}, false
	}
	return m.result.Checks[i], true
}
