package allow

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/suggest"
	"github.com/skewsim/skewsim/scenarios/term"
)

// List is the content of an allow-list.
type List struct {
	File string `json:"-"`
	// Allow are the lines: the first that matches a subject accepts it.
	Allow []Line `json:"allow" jsonschema:"required" jsonschema_description:"What is accepted, and by whom."`
}

// Line accepts the rows of a sweep, or the findings of a preflight, that agree with all its keys. A
// line without a key that only one of both has is for both.
type Line struct {
	Group      string              `json:"group,omitempty" jsonschema_description:"The API group."`
	Kind       string              `json:"kind,omitempty" jsonschema_description:"The kind."`
	Path       string              `json:"path,omitempty" jsonschema_description:"The field, and all within it."`
	Name       string              `json:"name,omitempty" jsonschema_description:"The object; of a sweep what differs if it is no field, such as a feature gate."`
	ID         string              `json:"id,omitempty" jsonschema_description:"Of a sweep: the row's ID, as sweep.json has it."`
	Difference term.DifferenceKind `json:"difference,omitempty" jsonschema_description:"Of a sweep: the kind of difference."`
	// Outcome is the worst outcome, or outcome:actor, that is accepted. Default: any. Verdict and Class are what
	// earlier versions had in its place: the worst outcome of a sweep, and the one outcome of a preflight.
	Outcome   string `json:"outcome,omitempty" jsonschema_description:"The worst outcome that is accepted, such as frozen or lost:old-client; default any."`
	Verdict   string `json:"verdict,omitempty" jsonschema_description:"Of a sweep: outcome, as earlier versions spell it."`
	Class     string `json:"class,omitempty" jsonschema_description:"Of a preflight: the one outcome that is accepted, as earlier versions have it."`
	Direction string `json:"direction,omitempty" jsonschema_description:"Of a preflight: up or back; default both."`
	Namespace string `json:"namespace,omitempty" jsonschema_description:"Of a preflight: the object's namespace."`
	// Owner accepts what agrees, until the last day, in UTC: YYYY-MM-DD.
	Owner string `json:"owner" jsonschema:"required" jsonschema_description:"Who accepts it."`
	Until string `json:"until" jsonschema:"required" jsonschema_description:"The last day, in UTC, on which it is accepted."`
	Why   string `json:"why" jsonschema:"required" jsonschema_description:"Why."`
	Issue string `json:"issue,omitempty" jsonschema_description:"The public issue that reports it."`

	Line int `json:"-"` // of the file
}

// directions are those of a preflight.
func directions() []string { return []string{"up", "back"} }

// Load reads an allow-list. It returns all mistakes in the file at once, as strict.Errors.
func Load(file string) (List, error) {
	f, err := os.Open(file)
	if err != nil {
		return List{}, fmt.Errorf("allow-list %q: %w", file, errors.Unwrap(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, strict.MaxBytes+1))
	if err != nil {
		return List{}, fmt.Errorf("allow-list %q: %w", file, err)
	}
	return Parse(file, data)
}

// Parse is Load of a file that was read.
func Parse(file string, data []byte) (List, error) {
	p := &strict.Problems{File: file}
	l := List{File: file}
	if n := strict.ParseDocument(data, p); n != nil {
		d := strict.Decoder{Problems: p, Lines: map[string]int{}}
		d.Decode(n, &l)
		for i := range l.Allow {
			at := strict.Element("allow", i)
			l.Allow[i].Line = d.Lines[at]
			l.Allow[i].check(at, d.Lines, p)
		}
	}
	return l, p.Err()
}

// check reports keys that are blank, and words that neither sweeps nor preflights have. The decoder has
// reported keys that are absent.
func (l Line) check(at string, lines map[string]int, p *strict.Problems) {
	for key, value := range map[string]string{"owner": l.Owner, "until": l.Until, "why": l.Why} {
		if line, given := lines[strict.Join(at, key)]; given && strings.TrimSpace(value) == "" {
			p.Add(line, strict.Join(at, key), "blank: a line says who accepts this, until when, and why")
		}
	}
	if _, err := time.Parse(time.DateOnly, l.Until); l.Until != "" && err != nil {
		p.Add(l.Line, strict.Join(at, "until"), "%q is not a day such as 2027-03-31", l.Until)
	}
	if l == (Line{Owner: l.Owner, Until: l.Until, Why: l.Why, Issue: l.Issue, Line: l.Line}) {
		p.Add(l.Line, at, "accepts everything: name a kind, a path, a name, an id, a difference or a class")
	}
	if l.ofSweep() && l.ofPreflight() {
		p.Add(l.Line, at, "accepts nothing: id, difference and verdict are of a sweep; class, direction and namespace of a preflight")
	}
	if l.Difference != "" && !term.DifferenceKinds().Has(l.Difference) {
		p.Add(l.Line, strict.Join(at, "difference"), "%q is not a kind of difference%s", l.Difference, nearest(string(l.Difference), term.DifferenceKinds().Words()))
	}
	for key, value := range map[string]string{"outcome": l.Outcome, "verdict": l.Verdict, "class": l.Class} {
		if _, err := term.ParseEffect(value); value != "" && err != nil {
			p.Add(l.Line, strict.Join(at, key), "%v%s", err, nearest(value, term.Outcomes().Words()))
		}
	}
	if l.Direction != "" && !slices.Contains(directions(), l.Direction) {
		p.Add(l.Line, strict.Join(at, "direction"), "%q is not a direction%s", l.Direction, nearest(l.Direction, directions()))
	}
}

func nearest(word string, words []string) string {
	if near := suggest.Nearest(word, words); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// ofSweep reports whether the line has a key that findings of a preflight do not have.
func (l Line) ofSweep() bool { return l.ID != "" || l.Difference != "" || l.Verdict != "" }

// ofPreflight reports whether the line has a key that rows of a sweep do not have.
func (l Line) ofPreflight() bool { return l.Class != "" || l.Direction != "" || l.Namespace != "" }

// Subject is what lines are held against: a row of a sweep, which has a difference, or a finding of a
// preflight, which has a direction.
type Subject struct {
	Group, Kind, Path, Name, ID, Namespace string
	Difference                             term.DifferenceKind
	Direction                              string
	Effect                                 term.Effect
}

// matches reports whether a subject agrees with all keys of the line.
func (l Line) matches(s Subject) bool {
	return agrees(l.Group, s.Group) && agrees(l.Kind, s.Kind) && agrees(l.Name, s.Name) && agrees(l.ID, s.ID) && agrees(l.Namespace, s.Namespace) &&
		agrees(string(l.Difference), string(s.Difference)) && agrees(l.Direction, s.Direction) &&
		isWithin(s.Path, l.Path) && isNoWorse(s.Effect, l.Outcome) && !(l.ofSweep() && s.Direction != "") && !(l.ofPreflight() && s.Direction == "") &&
		isNoWorse(s.Effect, l.Verdict) && isOne(s.Effect, l.Class)
}

// isNoWorse reports whether an effect is not worse than the one that a line names; "": it names none.
func isNoWorse(is term.Effect, worst string) bool {
	if worst == "" {
		return true
	}
	e, err := term.ParseEffect(worst)
	return err == nil && is.Outcome != "" && (e.Actor == "" && is.Outcome == e.Outcome || !is.WorseThan(e))
}

// isOne reports whether an effect is the one that a line names; "": it names none.
func isOne(is term.Effect, want string) bool {
	e, err := term.ParseEffect(want)
	return want == "" || err == nil && is.Outcome == e.Outcome
}

func agrees(want, is string) bool { return want == "" || want == is }

func isWithin(field, outer string) bool {
	return outer == "" || field == outer || strings.HasPrefix(field, outer+".") || strings.HasPrefix(field, outer+"[")
}

// expired reports whether the line has expired on a day. It is valid on its last day.
func (l Line) expired(day time.Time) bool { return scenarios.Day(day) > l.Until }

// Report is what an allow-list did.
type Report struct {
	// Expired are the lines whose last day is over: they accept nothing, and fail the command.
	Expired []Line
	// Unused are the valid lines that match nothing any more: what they accept is gone. Those for the
	// other command are not among them.
	Unused []Line
}

// Use is one use of an allow-list, on one day.
type Use struct {
	List
	Day  time.Time
	used map[int]bool
}

// On begins the use of the list on a day.
func (l List) On(day time.Time) *Use { return &Use{List: l, Day: day, used: map[int]bool{}} }

// Accepts returns the line that accepts a subject.
func (u *Use) Accepts(s Subject) (Line, bool) {
	for n, line := range u.Allow {
		if line.matches(s) && !line.expired(u.Day) {
			u.used[n] = true
			return line, true
		}
	}
	return Line{}, false
}

// Report returns what the list did for rows of a sweep, or for findings of a preflight.
func (u *Use) Report(isSweep bool) (r Report) {
	for n, line := range u.Allow {
		switch foreign := isSweep && line.ofPreflight() || !isSweep && line.ofSweep(); {
		case foreign:
		case line.expired(u.Day):
			r.Expired = append(r.Expired, line)
		case !u.used[n]:
			r.Unused = append(r.Unused, line)
		}
	}
	return r
}

// Notes returns a note for each line that is not used.
func (r Report) Notes(file string) (all []string) {
	for _, l := range r.Unused {
		all = append(all, fmt.Sprintf("%s:%d: this line accepts nothing any more", file, l.Line))
	}
	return all
}

// Err returns an error that names each expired line, or nil.
func (r Report) Err(file string) error {
	var problems []error
	for _, l := range r.Expired {
		problems = append(problems, fmt.Errorf("%s:%d: expired on %s: %s, the owner, fixes it, or sets another day", file, l.Line, l.Until, l.Owner))
	}
	return errors.Join(problems...)
}
