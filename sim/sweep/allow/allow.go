package allow

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/suggest"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep"
)

// List is the content of an allow-list.
type List struct {
	File string `json:"-"`
	// Allow are the lines: the first that matches a row accepts it.
	Allow []Line `json:"allow" jsonschema:"required" jsonschema_description:"The rows that are accepted, and by whom."`
}

// Line accepts the rows that agree with all its keys.
type Line struct {
	ID         string              `json:"id,omitempty" jsonschema_description:"The row's ID, as sweep.json has it."`
	Kind       string              `json:"kind,omitempty" jsonschema_description:"The kind."`
	Path       string              `json:"path,omitempty" jsonschema_description:"The field, and all within it."`
	Name       string              `json:"name,omitempty" jsonschema_description:"What differs if it is no field, such as a feature gate."`
	Difference term.DifferenceKind `json:"difference,omitempty" jsonschema_description:"The kind of difference."`
	// Verdict is the worst verdict that is accepted. Default: any.
	Verdict term.Fate `json:"verdict,omitempty" jsonschema_description:"The worst verdict that is accepted; default any."`
	// Owner accepts the row, until the last day, in UTC: YYYY-MM-DD.
	Owner string `json:"owner" jsonschema:"required" jsonschema_description:"Who accepts the rows."`
	Until string `json:"until" jsonschema:"required" jsonschema_description:"The last day, in UTC, on which the rows are accepted."`
	Why   string `json:"why" jsonschema:"required" jsonschema_description:"Why."`
	Issue string `json:"issue,omitempty" jsonschema_description:"The public issue that reports the rows."`

	Line int `json:"-"` // of the file
}

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

// check reports keys that are blank, and words that are not ones of sweeps. The decoder has
// reported keys that are absent.
func (l Line) check(at string, lines map[string]int, p *strict.Problems) {
	for key, value := range map[string]string{"owner": l.Owner, "until": l.Until, "why": l.Why} {
		if line, given := lines[strict.Join(at, key)]; given && strings.TrimSpace(value) == "" {
			p.Add(line, strict.Join(at, key), "blank: a line says who accepts the rows, until when, and why")
		}
	}
	if _, err := time.Parse(time.DateOnly, l.Until); l.Until != "" && err != nil {
		p.Add(l.Line, strict.Join(at, "until"), "%q is not a day such as 2027-03-31", l.Until)
	}
	if l.ID == "" && l.Kind == "" && l.Path == "" && l.Name == "" && l.Difference == "" {
		p.Add(l.Line, at, "accepts every row: name an id, a kind, a path, a name or a difference")
	}
	if l.Difference != "" && !term.DifferenceKinds().Has(l.Difference) {
		p.Add(l.Line, strict.Join(at, "difference"), "%q is not a kind of difference%s", l.Difference, nearest(string(l.Difference), term.DifferenceKinds().Words()))
	}
	if l.Verdict != "" && !term.Fates().Has(l.Verdict) {
		p.Add(l.Line, strict.Join(at, "verdict"), "%q is not a verdict%s", l.Verdict, nearest(string(l.Verdict), term.Fates().Words()))
	}
}

func nearest(word string, words []string) string {
	if near := suggest.Nearest(word, words); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// matches reports whether a row agrees with all keys of the line.
func (l Line) matches(r sweep.Row) bool {
	return agrees(l.ID, r.ID) && agrees(l.Kind, r.Kind) && agrees(l.Name, r.Name) && agrees(string(l.Difference), string(r.Difference.Difference)) &&
		isWithin(r.Path, l.Path) && !(l.Verdict != "" && r.Verdict.WorseThan(l.Verdict))
}

func agrees(want, is string) bool { return want == "" || want == is }

func isWithin(field, outer string) bool {
	return outer == "" || field == outer || strings.HasPrefix(field, outer+".") || strings.HasPrefix(field, outer+"[")
}

// expired reports whether the line has expired on a day. It is valid on its last day.
func (l Line) expired(day time.Time) bool { return scenarios.Day(day) > l.Until }

// Report is what an allow-list did.
type Report struct {
	// Expired are the lines whose last day is over: they accept nothing, and fail the sweep.
	Expired []Line
	// Unused are the valid lines that match no row: what they accept is gone.
	Unused []Line
}

// Apply marks the rows that lines accept on a day. A row that was neither exercised nor has a
// verdict needs nobody's consent.
func (l List) Apply(rows []sweep.Row, day time.Time) (r Report) {
	used := map[int]bool{}
	for i := range rows {
		for n, line := range l.Allow {
			if !line.matches(rows[i]) || line.expired(day) {
				continue
			}
			used[n] = true
			rows[i].Accepted, rows[i].Known = line.Owner, line.Issue
			break
		}
	}
	for n, line := range l.Allow {
		switch {
		case line.expired(day):
			r.Expired = append(r.Expired, line)
		case !used[n]:
			r.Unused = append(r.Unused, line)
		}
	}
	return r
}

// Err returns an error that names each expired line, or nil.
func (r Report) Err(file string) error {
	var problems []error
	for _, l := range r.Expired {
		problems = append(problems, fmt.Errorf("%s:%d: expired on %s: %s, the owner, fixes it, or sets another day", file, l.Line, l.Until, l.Owner))
	}
	return errors.Join(problems...)
}
