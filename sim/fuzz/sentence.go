package fuzz

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// sentence describes one fact about one object.
func (l *lap) sentence(j *journey, f Fact) string {
	subject := fmt.Sprintf("%s #%d, created in %s", j.traveller.Kind, j.number, l.nameOf(j.traveller.Origin))
	at := l.nameOf(f.Through)
	unread := f.Diff.Outcome == term.Undecodable || f.Diff.Outcome == term.Refused && f.Check == term.CheckEverythingDecodes
	if unread {
		return fmt.Sprintf("%s: cannot be read in %s: %d: %s", subject, at, f.Code, f.Answer)
	}
	switch f.Diff.Outcome {
	case term.Dropped:
		why := "though the release publishes the field and no gate that it needs is off"
		if f.Class == term.Impact {
			why = "where one version is served, so that no conversion lost it: it is write-only, cleared by the server, or behind a gate that is not named"
		}
		return fmt.Sprintf("%s: %s = %s was sent, and the answer, a success, does not show it, %s", subject, f.Diff.PathText(), schema.Text(f.Diff.Before), why)
	case term.Panicked:
		return fmt.Sprintf("%s: %s panicked while it answered a %s in %s: %s%s", subject, l.releases[f.Through.Role].Version, f.Answer, at, f.Panic.Value, PanicPlace(f.Panic))
	case term.Refused:
		return fmt.Sprintf("%s: the same object is refused in %s: %d: %s", subject, at, f.Code, f.Answer)
	case term.Frozen:
		return fmt.Sprintf("%s: what was read in %s cannot be written back there unchanged: %d: %s", subject, at, f.Code, f.Answer)
	}
	if f.Code != 0 {
		return fmt.Sprintf("%s: is stored no more: a read in %s was answered %d: %s", subject, at, f.Code, f.Answer)
	}
	if f.From != "" {
		return fmt.Sprintf("%s: %s %s %s, which makes it from fields that it does not publish itself (%s), as when stored bytes are decoded as another field",
			subject, f.Diff.PathText(), became(f), at, f.From)
	}
	if f.Diff.Before == nil {
		return fmt.Sprintf("%s: %s, which it did not have, %s %s", subject, f.Diff.PathText(), became(f), at)
	}
	return fmt.Sprintf("%s: %s = %s, acknowledged there, %s %s%s", subject, f.Diff.PathText(), schema.Text(f.Diff.Before), became(f), at, because(f))
}

// became describes what happened to the value, up to the place where it happened.
func became(f Fact) string {
	switch {
	case f.Diff.Outcome == term.Changed && f.Wrote:
		return "became " + schema.Text(f.Diff.After) + " when it was read and written back unchanged in"
	case f.Diff.Outcome == term.Changed:
		return "is " + schema.Text(f.Diff.After) + " where it is read in"
	case f.Diff.Outcome == term.Hidden:
		return "is not shown in"
	}
	return "was lost when the object was read and written back unchanged in"
}

func because(f Fact) string {
	switch {
	case f.By == term.Rule6:
		return ", which does not publish the field: an impact, which rule-6 expects"
	case f.By == term.RuleLifecycle:
		return ", which does not publish the field any more: an impact, since it was published as removable"
	case f.By == term.Rule2:
		return ", which does not publish the field any more, though it was not published as removable"
	}
	return ""
}
