package page

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// packer collects the page's data.
type packer struct {
	run    view.Run
	index  index
	texts  *texts
	state  map[term.Outcome]int
	place  map[int]int    // index of a step
	copies map[string]int // index of a copy, by its name
	bodies *bodies
	chunk  []byte        // rows of copies that are not packed yet, as JSON
	packed []StatesBlock // compressed rows
}

// packedRow is the detail of one row.
type packedRow struct {
	Requests []packedRequest `json:"requests"`
	Stored   any             `json:"stored"` // packedStored, 0 if equal to the row before, or null
	Views    []any           `json:"views"`  // for each replica packedView, 0 if equal to the row before, or null
}

// packedRequest is one request of a row's step.
type packedRequest struct {
	Method   string   `json:"method"`
	Path     string   `json:"path"`
	Replica  string   `json:"replica"`
	Version  string   `json:"version"`
	Code     int      `json:"code"`
	Message  string   `json:"message"`
	Warnings []string `json:"warnings"`
	Sent     int      `json:"sent"`
	Answer   int      `json:"answer"`
}

// packedStored is what etcd held.
type packedStored struct {
	Revision   int64  `json:"revision"`
	Encoding   string `json:"encoding"`
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Size       int    `json:"size"`
	Body       int    `json:"body"`
	Deleted    bool   `json:"deleted"`
}

// packedView is what one replica served.
type packedView struct {
	Replica int            `json:"replica"`
	Role    term.Role      `json:"role"`
	Version string         `json:"version"`
	Code    int            `json:"code"`
	Message string         `json:"message"`
	Answer  int            `json:"answer"`
	States  map[string]int `json:"states"`
	Diff    []marked       `json:"diff"`
}

// marked is a difference to mark in a body.
type marked struct {
	result.Difference
	// Acknowledged distinguishes a difference to an acknowledged value from one to what the
	// same release served before.
	Acknowledged bool `json:"acknowledged"`
}

// newPacker returns a packer for a run.
func newPacker(r view.Run) *packer {
	n := len(r.Ledger.Copies)
	p := &packer{
		run: r, index: newIndex(r), texts: &texts{list: []string{}, at: map[string]int{}}, state: map[term.Outcome]int{},
		place: map[int]int{}, copies: make(map[string]int, n), bodies: newBodies(r),
	}
	for i, e := range term.RunOutcomes() {
		p.state[e.Word] = i
	}
	for i, c := range r.Ledger.Copies {
		p.copies[c.Copy] = i
	}
	p.index.Copies = packedCopies{Rows: make([][]int, n), States: make([]string, n), Views: make([]string, n),
		Frozen: make([]int, n), Chunk: make([]int, n)}
	p.addSteps(r)
	p.addFindings(r.Result.Findings)
	return p
}

// stateOf returns the index of a state.
func (p *packer) stateOf(s term.Outcome) int {
	if i, known := p.state[s]; known {
		return i
	}
	return none
}

// addFindings draws the findings, and notes which copies are frozen.
func (p *packer) addFindings(findings []result.Finding) {
	for _, f := range findings {
		at, known := p.copies[f.Copy]
		if !known {
			at = none
		}
		if known && f.Check == term.CheckStaysWritable && f.Outcome == term.Frozen {
			p.index.Copies.Frozen[at] = 1
		}
		p.index.Findings = append(p.index.Findings, packedFinding{
			Copy: at, Path: p.texts.of(f.Path), Step: f.Step, Stage: p.texts.of(f.Stage), State: p.stateOf(f.Outcome),
			Check: p.texts.of(string(f.Check)), Rule: p.texts.of(string(f.Rule)), Class: p.texts.of(string(f.Class)),
			Cause: p.texts.of(string(f.Cause)), Expected: flag(f.Expected), Message: p.texts.of(f.Message),
			Acknowledged: f.AcknowledgedStep,
		})
	}
}

// addCopies draws every copy. The bodies of copies with findings are added first, so that
// they are omitted last; their rows wait for their place. The other copies are compressed
// as they are drawn: memory need not hold those of a large run at once.
func (p *packer) addCopies() error {
	found := map[int]bool{}
	for _, f := range p.index.Findings {
		found[f.Copy] = true
	}
	drawn := map[int][]byte{}
	for i, c := range p.run.Ledger.Copies {
		p.addCopy(i, c)
	}
	for i, c := range p.run.Ledger.Copies {
		if !found[i] {
			continue
		}
		var err error
		if drawn[i], err = p.drawRows(c); err != nil {
			return err
		}
	}
	for i, c := range p.run.Ledger.Copies {
		rows, waits := drawn[i]
		if !waits {
			var err error
			if rows, err = p.drawRows(c); err != nil {
				return err
			}
		}
		delete(drawn, i)
		if err := p.addRows(i, rows); err != nil {
			return err
		}
	}
	return nil
}

// addCopy draws a copy for the index.
func (p *packer) addCopy(i int, c result.CopyLedger) {
	x := &p.index.Copies
	x.Name, x.Object = append(x.Name, p.texts.of(c.Copy)), append(x.Object, p.texts.of(c.Object))
	x.Kind, x.APIVersion = append(x.Kind, p.texts.of(c.Kind)), append(x.APIVersion, p.texts.of(c.APIVersion))
	x.Role, x.State = append(x.Role, p.texts.of(string(c.Role))), append(x.State, p.stateOf(c.Outcome))
	var states, views strings.Builder
	x.Rows[i] = []int{}
	for _, row := range c.Rows {
		x.Rows[i] = append(x.Rows[i], p.place[row.Step])
		states.WriteByte(letter(p.stateOf(row.Outcome)))
		for _, v := range p.views(row) {
			if v == nil {
				views.WriteByte(letter(none))
				continue
			}
			views.WriteByte(letter(p.stateOf(v.Outcome)))
		}
	}
	x.States[i], x.Views[i] = states.String(), views.String()
	for _, f := range c.Fields {
		p.addField(i, f)
	}
}

// addField draws an acknowledged value.
func (p *packer) addField(owner int, f result.Field) {
	x := &p.index.Fields
	x.Copy, x.Path = append(x.Copy, owner), append(x.Path, p.texts.of(f.Path))
	x.Value, x.Step = append(x.Value, p.texts.of(asJSON(f.Value))), append(x.Step, f.Step)
	x.State = append(x.State, p.stateOf(f.Outcome))
}

// views returns one view for each replica, nil for none. If a row read a replica several
// times, the worst view counts, and among equal ones the first.
func (p *packer) views(row result.Row) []*result.View {
	all := make([]*result.View, len(p.index.Replicas))
	for i := range row.Views {
		v := &row.Views[i]
		at := slices.Index(p.index.Replicas, v.Replica) // a handful
		if all[at] == nil || p.stateOf(v.Outcome) < p.stateOf(all[at].Outcome) {
			all[at] = v
		}
	}
	return all
}

// drawRows draws the details of a copy's rows, as JSON.
func (p *packer) drawRows(c result.CopyLedger) ([]byte, error) {
	drawn, err := p.rowsOf(c.Rows)
	if err != nil {
		return nil, fmt.Errorf("copy %q: %w", c.Copy, err)
	}
	text, err := encode(drawn)
	if err != nil {
		return nil, fmt.Errorf("copy %q: %w", c.Copy, err)
	}
	return text, nil
}

func (p *packer) rowsOf(rows []result.Row) ([]packedRow, error) {
	drawn := make([]packedRow, len(rows))
	var stored *result.Stored
	before := make([]*result.View, len(p.index.Replicas))
	for i, row := range rows {
		d := &drawn[i]
		var err error
		if d.Requests, err = p.drawRequests(row.Requests); err != nil {
			return nil, fmt.Errorf("step %d: %w", row.Step, err)
		}
		if d.Stored, err = p.drawStored(stored, row.Stored); err != nil {
			return nil, fmt.Errorf("step %d: %w", row.Step, err)
		}
		views := p.views(row)
		if d.Views, err = p.drawViews(before, views); err != nil {
			return nil, fmt.Errorf("step %d: %w", row.Step, err)
		}
		stored, before = row.Stored, views
	}
	return drawn, nil
}

// drawRequests draws the requests of a row.
func (p *packer) drawRequests(requests []result.Request) ([]packedRequest, error) {
	drawn := []packedRequest{}
	for _, q := range requests {
		sent, err := p.bodies.add(q.Sent)
		if err != nil {
			return nil, err
		}
		answer, err := p.bodies.add(q.Answer)
		if err != nil {
			return nil, err
		}
		drawn = append(drawn, packedRequest{Method: q.Method, Path: q.Path, Replica: q.Replica, Version: q.Version,
			Code: q.Code, Message: q.Message, Warnings: append([]string{}, q.Warnings...), Sent: sent, Answer: answer})
	}
	return drawn, nil
}

// drawStored draws what etcd held, unless it is equal to the row before.
func (p *packer) drawStored(before, now *result.Stored) (any, error) {
	switch {
	case now == nil:
		return nil, nil
	case before != nil && *before == *now:
		return 0, nil
	}
	n, err := p.bodies.addStored(now.Value)
	return packedStored{Revision: now.Revision, Encoding: now.Encoding, APIVersion: now.APIVersion, Kind: now.Kind,
		Size: now.Size, Body: n, Deleted: now.Deleted}, err
}

// drawViews draws what each replica served, unless it is equal to the row before.
func (p *packer) drawViews(before, now []*result.View) ([]any, error) {
	drawn := make([]any, len(now))
	for i, v := range now {
		switch {
		case v == nil:
			continue
		case before[i] != nil && reflect.DeepEqual(before[i], v):
			drawn[i] = 0
			continue
		}
		n, err := p.bodies.add(v.Answer)
		if err != nil {
			return nil, err
		}
		view := packedView{Replica: i, Role: v.Role, Version: v.Version, Code: v.Code, Message: v.Message, Answer: n,
			States: map[string]int{}, Diff: []marked{}}
		for path, state := range v.Outcomes {
			view.States[path] = p.stateOf(state)
		}
		for _, d := range v.Diff {
			_, acknowledged := v.Outcomes[d.Path]
			view.Diff = append(view.Diff, marked{d, acknowledged})
		}
		drawn[i] = view
	}
	return drawn, nil
}

// longest is how many characters of an acknowledged value the index holds, which is
// decompressed before anything is drawn. The bodies have the whole value.
const longest = 1024

// asJSON writes a value as JSON in one line, or the start of a long one.
func asJSON(value any) string {
	text, err := encode(value)
	if err != nil {
		return fmt.Sprintf("not JSON: %v", err)
	}
	more := utf8.RuneCount(text) - longest
	if more <= 0 {
		return string(text)
	}
	return fmt.Sprintf("%s… %d more characters", string([]rune(string(text))[:longest]), more)
}
