package sweep

import (
	"maps"
	"path"
	"regexp"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// Lap is what a lap of a sweep played.
type Lap struct {
	Lap      term.Lap
	Settings Settings
	// Objects are all objects of the lap, those that no object reached among them.
	Objects []Object
	// Evidence is of the runs of the lap's scenarios.
	Evidence []Evidence
	// Rules are the dry runs of the rules that the releases state differently, by row. Those that
	// the releases answer differently have objects among Objects: see RuleObjects.
	Rules map[string]try.Result
	Scope Scope
	// Pairs are the pairs of versions that a webhook converts.
	Pairs []Pair
}

// Evidence is what rows need of one run: much less than its ledger, so that several runs fit into
// memory.
type Evidence struct {
	// Run is the run directory, relative to sweep.json.
	Run      string
	Verdict  term.VerdictWord
	Findings []result.Finding
	Copies   map[string]copyEvidence // by name
	// Controls are the copies that the calls of the other copies are compared with, by name.
	Controls map[string]copyEvidence
	Skipped  map[string]string // by object: why part of it was not played
	// IsPart reports that the run ended early.
	IsPart  bool
	Seconds float64
	// Lists are the LISTs by a field that servers answered, by object: they are of no copy.
	Lists map[string][]write
	// Deleted are the copies that a server deleted by itself.
	Deleted map[string]bool

	names map[string][]string // of copies, by object, sorted; nil: see withNames
}

// withNames returns the evidence with the names of copies by object: each row asks for those of its own.
func (e Evidence) withNames() Evidence {
	e.names = map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(e.Copies)) {
		object := e.Copies[name].object
		e.names[object] = append(e.names[object], name)
	}
	return e
}

// copyEvidence is what happened to one copy.
type copyEvidence struct {
	object string
	role   term.CopyRole
	writes []write
	// fields are the acknowledged values, by path; stored reports that etcd held the object.
	fields []result.Field
	stored bool
}

// writeAt returns the write of the copy in a step; false: the copy was not written then.
func (c copyEvidence) writeAt(step int) (w write, found bool) {
	i := slices.IndexFunc(c.writes, func(w write) bool { return w.Number == step })
	if i < 0 {
		return w, false
	}
	return c.writes[i], true
}

// isWritten reports whether a server answered a write of the copy.
func (c copyEvidence) isWritten() bool { return slices.ContainsFunc(c.writes, write.answered) }

// write is one step on a copy with its answer.
type write struct {
	plan.Step
	stage   string
	program term.Role // the release whose program ran; "": none
	code    int
	message string
	causes  []result.StatusCause
}

// answered reports whether a server answered the request itself, with success or a refusal.
func (w write) answered() bool { return w.code >= 200 && w.code < 500 && w.code != 404 }

// sendsValue reports whether the write names values that it sends, and not only a label.
func (w write) sendsValue() bool { return w.Change != nil && w.Change.Kind == plan.Fields }

// asksToRefuse reports whether a server refused the write because its client sent a field that the
// server does not know, and asked it to refuse those.
func (w write) asksToRefuse() bool {
	return w.FieldValidation == term.Strict && (w.Birth || w.code == 400)
}

// sendsZero reports whether the write sends a zero in place of a value: see writing.zero.
func (w write) sendsZero() bool {
	return w.sendsValue() && w.Part() == "" && len(w.Change.Fields) == 1 && IsZero(slices.Collect(maps.Values(w.Change.Fields))[0])
}

// EvidenceOf reduces a judged run to what rows need.
func EvidenceOf(p *plan.Plan, r result.Result, l result.Ledger) Evidence {
	e := Evidence{Verdict: r.Verdict, Findings: withCopiesOfLists(Installed(Different(r.Findings)), l), Copies: map[string]copyEvidence{}, Controls: map[string]copyEvidence{}, Skipped: map[string]string{}, Seconds: r.Timing.Total}
	steps := operations(p)
	e.Lists = listsOf(steps, r.Findings, l)
	for _, c := range l.Copies {
		if c.Role == term.Control {
			e.Controls[c.Copy] = reduced(c, steps)
			continue
		}
		e.Copies[c.Copy] = reduced(c, steps)
	}
	for _, s := range r.Skipped {
		if step, known := steps[s.Step]; known {
			e.Skipped[ObjectOf(step.Object)] = s.Reason
		}
	}
	return e
}

// storedAt finds the key of a stored object that a server cannot decode, in the error of the LIST that it fails.
var storedAt = regexp.MustCompile(`\bKey: "?/?([^\s",]+)`)

// withCopiesOfLists returns findings, and those on a LIST that one object fails also as findings on the copy that the server's
// error names, unless a copy of the same object has one of its own: other calls may show the object as it is, and
// it is what the whole kind becomes unreadable with.
func withCopiesOfLists(findings []result.Finding, l result.Ledger) []result.Finding {
	objects := map[string]string{} // by copy
	for _, c := range l.Copies {
		objects[c.Copy] = c.Object
	}
	all := findings
	for _, f := range findings {
		if f.Copy != "" || f.Outcome != term.Undecodable || !f.Verb.Lists() {
			continue
		}
		at := storedAt.FindStringSubmatch(f.Message)
		if at == nil {
			continue
		}
		f.Copy = path.Base(at[1])
		f.Object = objects[f.Copy]
		has := func(g result.Finding) bool {
			return g.Copy != "" && g.Object == f.Object && g.Outcome == f.Outcome && g.Via == f.Via
		}
		if f.Object != "" && !slices.ContainsFunc(findings, has) {
			all = append(slices.Clip(all), f)
		}
	}
	return all
}

// listsOf are the LISTs by a field that servers answered: what succeeds shows copies, and what does not has a
// finding.
func listsOf(steps map[int]write, findings []result.Finding, l result.Ledger) map[string][]write {
	codes := map[int]int{}
	for _, c := range l.Copies {
		for _, row := range c.Rows {
			if n := len(row.Requests); n > 0 {
				codes[row.Step] = row.Requests[n-1].Code
			}
		}
	}
	all := map[string][]write{}
	for _, number := range slices.Sorted(maps.Keys(steps)) {
		w := steps[number]
		if w.FieldSelector == "" {
			continue
		}
		w.code = codes[number]
		failed := slices.ContainsFunc(findings, func(f result.Finding) bool { return f.Step == number })
		if failed || w.code/100 == 2 {
			all[w.Object] = append(all[w.Object], w)
		}
	}
	return all
}

// operations are the plan's steps on copies, by number.
func operations(p *plan.Plan) map[int]write {
	all := map[int]write{}
	for _, stage := range p.Stages {
		program, _ := p.ProgramAt(stage.Name)
		for _, s := range stage.Steps {
			if s.Action == plan.Operate {
				all[s.Number] = write{Step: s, stage: stage.Name, program: program}
			}
		}
	}
	return all
}

func reduced(c result.CopyLedger, steps map[int]write) copyEvidence {
	own := copyEvidence{object: c.Object, role: c.Role, fields: c.Fields}
	for _, row := range c.Rows {
		own.stored = own.stored || row.Stored != nil && !row.Stored.Deleted
		w, is := steps[row.Step]
		if !is || w.Copy != c.Copy || len(row.Requests) == 0 {
			continue
		}
		last := row.Requests[len(row.Requests)-1]
		w.code, w.message, w.causes = last.Code, last.Message, last.StatusCauses
		own.writes = append(own.writes, w)
	}
	return own
}

// of returns the names of an object's copies in order, or of those that the other release was
// offered.
func (e Evidence) of(object string) []string {
	if e.names == nil {
		e = e.withNames()
	}
	return slices.Clip(e.names[object])
}

// copyOf returns a copy, which may be a control.
func (e Evidence) copyOf(name string) copyEvidence {
	if c, is := e.Controls[name]; is {
		return c
	}
	return e.Copies[name]
}

// Has reports whether the run has a copy of that name.
func (e Evidence) Has(copyName string) bool {
	_, has := e.Copies[copyName]
	return has
}
