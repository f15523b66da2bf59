package reports

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/term"
)

// section is the copies of one object.
type section struct {
	Object string
	Kind   string
	Copies []specimen
}

// specimen is one copy as the page shows it.
type specimen struct {
	ID, Name, Object, Kind string
	Role                   term.CopyRole
	State                  term.State
	What                   string // the operation it met
	Replicas               []string
	Fields                 []field // acknowledged values that did not stay
	Kept                   int     // how many did
	Rows                   []happening
}

// Width is how many columns its table has beside the one of step numbers.
func (s specimen) Width() int { return len(s.Replicas) + 3 }

// field is an acknowledged value.
type field struct {
	Path, Value string
	Step        int
	State       term.State
}

// happening is one row of a copy's table.
type happening struct {
	ID           string
	Step         int
	Stage, Title string
	Requests     []request
	Cells        []served
	Stored       *held
}

// Told tells whether the row has evidence beside bodies.
func (h happening) Told() bool {
	return len(h.Requests) > 0 || slices.ContainsFunc(h.Cells, served.tells)
}

// request is one request of a row. Sent and Answered are numbers of bodies, -1 for none.
type request struct {
	result.Request
	Sent, Answered int
}

// served is what one replica served. Without a view the cell is empty.
type served struct {
	Replica, Version string
	Role             term.Role
	State            term.State
	Code             int    // where it is no success
	Message          string // likewise
	Body             int
	Diff             []change
	Since            int // the step since which Message and Diff are the same; 0 if they are new
}

// tells tells whether the cell has anything to say beside its state.
func (s served) tells() bool { return len(s.Diff) > 0 || s.Message != "" }

// says tells whether both cells have the same to say.
func (s served) says(other served) bool {
	return s.tells() && s.Message == other.Message && s.Role == other.Role && reflect.DeepEqual(s.Diff, other.Diff)
}

// change is one difference with its values written out.
type change struct {
	Path, Before, After string
	State               term.State // "" where the value was not acknowledged
}

// held is what etcd held.
type held struct {
	result.Stored
	Body int
	Same bool // as after the row before
}

// copyID is the anchor of a copy: what follows # in a link to it.
func copyID(name string) string { return "copy-" + inert(name) }

// drawCopies draws the ledger, by object in its order, and gathers the bodies.
func drawCopies(r Run, e *evidence) ([]section, error) {
	at := map[string]int{}
	var sections []section
	for _, c := range r.Ledger.Copies {
		drawn, err := drawCopy(c, r.Plan.Replicas, e)
		if err != nil {
			return nil, fmt.Errorf("copy %q: %w", c.Copy, err)
		}
		i, ok := at[c.Object]
		if !ok {
			i = len(sections)
			at[c.Object] = i
			sections = append(sections, section{Object: c.Object, Kind: c.Kind})
		}
		sections[i].Copies = append(sections[i].Copies, drawn)
	}
	return sections, nil
}

// drawCopy draws one copy's ledger.
func drawCopy(c result.CopyLedger, replicas []string, e *evidence) (specimen, error) {
	s := specimen{ID: copyID(c.Copy), Name: c.Copy, Object: c.Object, Kind: c.Kind, Role: c.Role,
		State: c.State, What: operationOf(c.Rows), Replicas: columns(c.Rows, replicas)}
	for _, f := range c.Fields {
		if f.State == term.Kept {
			s.Kept++
			continue
		}
		s.Fields = append(s.Fields, field{f.Path, written(f.Value, true), f.Step, f.State})
	}
	before := map[string]served{}
	ids := map[string]int{}
	for i, row := range c.Rows {
		drawn, err := drawRow(rowID(s.ID, row.Step, ids), row, s.Replicas, before, e)
		if err != nil {
			return s, fmt.Errorf("step %d: %w", row.Step, err)
		}
		if drawn.Stored != nil && i > 0 {
			drawn.Stored.Same = reflect.DeepEqual(row.Stored, c.Rows[i-1].Stored)
		}
		s.Rows = append(s.Rows, drawn)
	}
	return s, nil
}

// rowID is the anchor of a row. A step that has several rows is linked to the first.
func rowID(copyID string, step int, taken map[string]int) string {
	id := fmt.Sprintf("%s/step-%d", copyID, step)
	taken[id]++
	if n := taken[id]; n > 1 {
		return fmt.Sprintf("%s/%d", id, n)
	}
	return id
}

// operationOf tells what was done to a copy beside creating it.
func operationOf(rows []result.Row) string {
	what := ""
	for _, row := range rows {
		if !row.Edge {
			what = row.Title
		}
	}
	return what
}

// columns are the plan's replicas, and any that only the ledger names.
func columns(rows []result.Row, planned []string) []string {
	names := slices.Clone(planned)
	for _, row := range rows {
		for _, v := range row.Views {
			if !slices.Contains(names, v.Replica) {
				names = append(names, v.Replica)
			}
		}
	}
	return names
}

// drawRow draws one row. What each replica served before is kept in before.
func drawRow(id string, row result.Row, replicas []string, before map[string]served, e *evidence) (happening, error) {
	h := happening{ID: id, Step: row.Step, Stage: row.Stage, Title: row.Title}
	var err error
	if h.Requests, err = drawRequests(row.Requests, e); err != nil {
		return h, err
	}
	if h.Stored, err = drawStored(row.Stored, e); err != nil {
		return h, err
	}
	for _, replica := range replicas {
		cell, err := drawCell(id, row, replica, e)
		if err != nil {
			return h, err
		}
		h.Cells = append(h.Cells, cell.after(row.Step, replica, before))
	}
	return h, nil
}

// after leaves out what the replica's cell in the row before has said already:
// most rows repeat it, and the page would be twice as long.
func (s served) after(step int, replica string, before map[string]served) served {
	last := before[replica]
	repeated := s.says(last)
	whole := s
	whole.Since = step
	if repeated {
		whole.Since = last.Since
		s.Since, s.Diff, s.Message = last.Since, nil, ""
	}
	before[replica] = whole
	return s
}

// drawCell draws what one replica served.
func drawCell(id string, row result.Row, replica string, e *evidence) (served, error) {
	i := slices.IndexFunc(row.Views, func(v result.View) bool { return v.Replica == replica })
	if i < 0 {
		return served{Replica: replica, Body: -1}, nil
	}
	v := row.Views[i]
	n, err := e.add(v.Answer)
	if err != nil {
		return served{}, err
	}
	e.mark(id, v)
	cell := served{Replica: replica, Version: v.Version, Role: v.Role, State: v.State, Message: v.Message, Body: n}
	if v.Code < 200 || v.Code > 299 {
		cell.Code = v.Code
	}
	for _, d := range v.Diff {
		cell.Diff = append(cell.Diff, change{d.Path, written(d.Before, d.HadBefore), written(d.After, d.HasAfter), v.States[d.Path]})
	}
	return cell, nil
}

// drawRequests draws the requests of a row.
func drawRequests(requests []result.Request, e *evidence) ([]request, error) {
	var drawn []request
	for _, q := range requests {
		sent, err := e.add(q.Sent)
		if err != nil {
			return nil, err
		}
		answered, err := e.add(q.Answer)
		if err != nil {
			return nil, err
		}
		drawn = append(drawn, request{q, sent, answered})
	}
	return drawn, nil
}

// drawStored draws what etcd held.
func drawStored(s *result.Stored, e *evidence) (*held, error) {
	if s == nil {
		return nil, nil
	}
	n, err := e.add(s.Value)
	return &held{Stored: *s, Body: n}, err
}
