package sweep

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/result"
)

// What the old release alone does before the upgrade, no upgrade changes: old definitions, old servers, old
// clients. The stage with only them is in the record, where each call is made on control copies first.

// earlier is a finding of the stage that has the old release alone.
type earlier struct {
	result.Finding
	in string // the API version that was written, if it is another one than the object's
}

// earlierFindings returns what the old release alone does to the objects of each kind.
func earlierFindings(lap Lap) map[string][]earlier {
	kinds := map[string]string{} // by object
	for _, o := range lap.Objects {
		kinds[o.Target.ID] = kindOf(o)
	}
	all := map[string][]earlier{}
	for _, e := range lap.Evidence {
		for _, f := range e.Findings {
			kind, known := kinds[ObjectOf(f.Object)]
			if role, typed := f.Client.Role(); !known || f.Stage != StageOld || f.Order != 0 || typed && role == term.New {
				continue
			}
			c := e.copyOf(f.Copy)
			f.StatusCauses = c.errorsOf(f)
			all[kind] = append(all[kind], earlier{f, c.versionOf(f.Step)})
		}
	}
	return all
}

// versionOf returns the API version that a step wrote, if it is another one than the object's.
func (c copyEvidence) versionOf(step int) string {
	w, _ := c.writeAt(step)
	return w.APIVersion
}

// errorsOf returns the errors that the refusal of a finding lists.
func (c copyEvidence) errorsOf(f result.Finding) []result.StatusCause {
	if w, found := c.writeAt(f.Step); found && len(f.StatusCauses) == 0 {
		return w.causes
	}
	return f.StatusCauses
}

// isPreExisting reports whether the old release alone, before the upgrade, does what a finding on a copy says.
func (p played) isPreExisting(f result.Finding, c copyEvidence) bool {
	in := c.versionOf(f.Step)
	f.StatusCauses = c.errorsOf(f)
	if f.Cause == term.Misread && f.Path != "" && !p.hasOtherType(FieldOf(f.Path)) {
		return true // the old release's types cannot read it either
	}
	return slices.ContainsFunc(p.earlier, func(g earlier) bool {
		return g.in == in && (g.isSame(f) || p.hasNoPlace(f, in) && g.Cause == term.Converted && g.Outcome == term.Lost)
	})
}

// hasOtherType reports whether the releases publish another type for a field, or for one that it is within or holds.
func (p played) hasOtherType(field string) bool {
	return slices.ContainsFunc(p.differences, func(d diff.Difference) bool {
		if d.Difference != term.TypeChanged && d.Difference != term.FieldAdded && d.Difference != term.FieldRemoved {
			return false
		}
		return slices.ContainsFunc(everyPlace(d), func(of diff.Place) bool {
			return of.Kind == p.object.Target.Kind && (Within(field, of.Path) || Within(of.Path, field))
		})
	})
}

// isSame reports whether a finding says that the same is done to the same field, or to a part of what is gone.
func (g earlier) isSame(f result.Finding) bool {
	if g.Outcome != f.Outcome || f.Outcome == term.Changed && fmt.Sprint(g.After) != fmt.Sprint(f.After) {
		return false
	}
	if f.Path == "" || g.Path == "" {
		return f.Path == g.Path && g.Cause == f.Cause && g.Verb == f.Verb && g.hasErrorsOf(f)
	}
	return Within(FieldOf(f.Path), FieldOf(g.Path))
}

// hasErrorsOf reports whether a refusal lists each error that another one lists, of the same field and in the
// same words; the values that they quote may differ. What a server adds that it did not check says nothing.
func (g earlier) hasErrorsOf(f result.Finding) bool {
	same := func(one, other result.StatusCause) bool {
		return one.Reason == other.Reason && FieldOf("."+one.Field) == FieldOf("."+other.Field) && unquoted(one.Message) == unquoted(other.Message)
	}
	return !slices.ContainsFunc(f.StatusCauses, func(c result.StatusCause) bool {
		return !c.LeavesRulesOut() && !slices.ContainsFunc(g.StatusCauses, func(of result.StatusCause) bool { return same(of, c) })
	})
}

var quoted = regexp.MustCompile(`^([A-Z][a-z]+ value: )("(\\.|[^"\\])*"|[^:]*): `)

// unquoted returns the message of an error without the value that it quotes.
func unquoted(message string) string { return quoted.ReplaceAllString(message, "$1") }

// hasNoPlace reports whether a finding is that a conversion loses a field which only the new release has, and
// which it adds to the object's version and not to the one that was written. If what that version lacked before
// was lost too, the kind's versions were never convertible without loss.
func (p played) hasNoPlace(f result.Finding, in string) bool {
	return in != "" && f.Outcome == term.Lost && f.Cause == term.Converted && p.object.Target.Form == term.Treated &&
		!slices.ContainsFunc(p.differences, func(d diff.Difference) bool {
			return d.Difference == term.FieldAdded && slices.ContainsFunc(everyPlace(d), func(of diff.Place) bool {
				return of.APIVersion == in && of.Kind == p.object.Target.Kind && Within(FieldOf(f.Path), of.Path)
			})
		})
}
