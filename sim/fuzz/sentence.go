package fuzz

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// rule is the obligation that a fact is held against.
func (f fact) rule() term.Rule {
	switch {
	case f.class == term.Impact || f.from != "":
		return f.by
	case f.check == term.CheckRule1:
		return term.Rule1
	case f.check == term.CheckRule3:
		return term.Rule3
	case f.check == term.CheckRule4:
		return term.Rule4
	case f.check == term.EverythingDecodes:
		return term.Storage
	case f.check == term.StaysWritable:
		return term.Writable
	}
	return term.Rule2
}

// sentence tells one fact about one object.
func (l *lap) sentence(j *journey, f fact) string {
	subject := fmt.Sprintf("%s #%d, created in %s", j.traveller.kind, j.number, l.nameOf(j.traveller.origin))
	at := l.nameOf(f.through)
	switch f.diff.state {
	case term.NotAccepted:
		why := "though the release publishes the field and no gate that it needs is off"
		if f.class == term.Impact {
			why = "where one version is served, so that no conversion lost it: it is write-only, the server's to clear, or behind a gate that nothing names"
		}
		return fmt.Sprintf("%s: %s = %s was sent, and the answer, a success, does not show it, %s", subject, f.diff.text(), schema.Text(f.diff.before), why)
	case term.Panicked:
		return fmt.Sprintf("%s: %s panicked as it answered a %s in %s: %s%s", subject, l.releases[f.through.role].version, f.answer, at, f.panic.Value, in(f.panic))
	case term.Undecodable:
		return fmt.Sprintf("%s: cannot be read in %s: %d: %s", subject, at, f.code, f.answer)
	case term.Refused:
		return fmt.Sprintf("%s: the same object is refused in %s: %d: %s", subject, at, f.code, f.answer)
	case term.Frozen:
		return fmt.Sprintf("%s: what was read in %s cannot be written back there unchanged: %d: %s", subject, at, f.code, f.answer)
	}
	if f.from != "" {
		return fmt.Sprintf("%s: %s %s %s, which makes that of what it does not publish itself (%s), as where stored bytes are taken for another field's",
			subject, f.diff.text(), f.became(), at, f.from)
	}
	if f.diff.before == nil {
		return fmt.Sprintf("%s: %s, which it did not have, %s %s", subject, f.diff.text(), f.became(), at)
	}
	return fmt.Sprintf("%s: %s = %s, acknowledged there, %s %s%s", subject, f.diff.text(), schema.Text(f.diff.before), f.became(), at, f.because())
}

// became says what happened to the value, up to the place where it did.
func (f fact) became() string {
	switch {
	case f.diff.state == term.Changed && f.wrote:
		return "became " + schema.Text(f.diff.after) + " when it was read and written back unchanged in"
	case f.diff.state == term.Changed:
		return "is " + schema.Text(f.diff.after) + " where it is read in"
	case f.diff.state == term.Hidden:
		return "is not shown in"
	}
	return "was lost when the object was read and written back unchanged in"
}

func (f fact) because() string {
	switch {
	case f.by == term.Rule6:
		return ", which does not publish the field: an impact, which rule-6 expects"
	case f.by == term.Lifecycle:
		return ", which does not publish the field any more: an impact, since it was published as one that may go"
	case f.by == term.Rule2:
		return ", which does not publish the field any more, though it was not published as one that may go"
	}
	return ""
}
