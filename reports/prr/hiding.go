package prr

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// hiding is an acknowledged value that every replica hid at the edge of a stage.
type hiding struct {
	copy, path string
	judged     bool   // resurrection judges copies that nothing writes, and no others
	in         string // the roll-out that hid it
	again      string // the roll-out in which it was served again, with no write in between; "" if none
}

// hidingsOf returns what the copies of a ledger hid, of a run with so many live replicas at each stage.
func hidingsOf(ledger result.Ledger, replicas map[string]int, phases map[string]string) (all []hiding) {
	for _, c := range ledger.Copies {
		hides := map[string]*hiding{}
		for _, row := range c.Rows {
			if wrote(row) {
				hides = map[string]*hiding{}
			}
			if !row.Edge {
				continue
			}
			for _, f := range c.Fields {
				h := hides[f.Path]
				switch turn := phases[row.Stage]; {
				case h != nil && turn != h.in && shows(row, f.Path):
					h.again = turn
					all = append(all, *h)
					delete(hides, f.Path)
				case h == nil && f.Step > 0 && hidesEverywhere(row, f.Path, replicas[row.Stage]):
					hides[f.Path] = &hiding{copy: c.Copy, path: f.Path, judged: c.Role == term.Untouched, in: turn}
				}
			}
		}
		for _, f := range c.Fields {
			if h := hides[f.Path]; h != nil {
				all = append(all, *h)
				delete(hides, f.Path)
			}
		}
	}
	return all
}

// shows reports whether a replica served a value as it was acknowledged, in a row.
func shows(row result.Row, path string) bool {
	return slices.ContainsFunc(row.Views, func(v result.View) bool {
		state := v.Outcomes[path]
		return v.Answer != "" && (state == "" || state == term.Kept || state == term.Resurrected)
	})
}

// hidesEverywhere reports whether each of so many replicas hid a value in a row.
func hidesEverywhere(row result.Row, path string, replicas int) bool {
	heard := map[string]bool{}
	for _, v := range row.Views {
		if v.Outcomes[path] != term.Hidden {
			return false
		}
		heard[v.Replica] = true
	}
	return len(heard) == replicas && replicas > 0
}

// comebacks counts the values that roll-outs hid and that later ones could show again.
type comebacks struct {
	judged         int // hidden, of objects that nothing writes
	values, copies int // served again, of objects that are not judged
}

// comebacksOf counts what some roll-outs of a run hid, and others could show again.
func comebacksOf(m Measured, off, again []string) (n comebacks) {
	copies := map[string]bool{}
	for _, h := range m.hidings {
		switch {
		case !slices.Contains(off, h.in):
		case h.judged:
			n.judged++
		case slices.Contains(again, h.again):
			n.values++
			copies[h.copy] = true
		}
	}
	n.copies = len(copies)
	return n
}

// again describes the values that are served again and that no check judges.
func (n comebacks) again() string {
	return fmt.Sprintf("%s on %s that every replica hid before, and that nothing wrote in between, reappeared (`%s` judges only objects that nothing writes after their creation)",
		term.Numbered(n.values, "value"), term.Numbered(n.copies, "object"), term.CheckResurrection)
}

// besides appends what came back to another answer.
func (n comebacks) besides() string {
	if n.values == 0 {
		return ""
	}
	return "; " + n.again()
}

func (n *comebacks) add(other comebacks) {
	n.judged, n.values, n.copies = n.judged+other.judged, n.values+other.values, n.copies+other.copies
}

// words answers what came back if no check found anything.
func (n comebacks) words() string {
	switch {
	case n.values > 0:
		return n.again()
	case n.judged > 0:
		return "no value that was hidden reappeared"
	}
	return "no value that could reappear had been hidden from every replica"
}
