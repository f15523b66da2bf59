package checks

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/fields"
	operator "k8s.io/apimachinery/pkg/selection"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/oracle/trace"
)

// unlisted is the reason why the expected result of a LIST by fields is indeterminate.
const unlisted = "the objects from which a LIST by fields selects could not be listed"

// unknownLabel is the reason if a label is not known from the LIST of all objects.
const unknownLabel = "the expected result of a LIST by fields depends on a label that the LIST of all does not show"

// selection says which items a LIST by fields wrongly holds or lacks, and why the expected result
// is indeterminate, if it is.
type selection struct {
	text                   string
	wrong, lacking, unsaid []string
}

// selected judges the LIST by fields of a call. The LIST of all objects that was made beside it,
// at the same revision and in the same version, shows what it must hold: each label is the path
// of a field there.
func selected(ev *trace.Evidence, act history.Operation) selection {
	s := selection{text: ev.Steps[act.Step].Step.FieldSelector}
	if s.text == "" || !act.Done() {
		return s
	}
	all, chosen := listed(ev, act.Step, ""), listed(ev, act.Step, s.text)
	selector, err := fields.ParseSelector(s.text)
	if all == nil || chosen == nil || err != nil {
		return s
	}
	due := map[string]bool{}
	for _, item := range all.Items {
		matches, told := matchesAll(ev, all, item, selector)
		if !told {
			s.unsaid = append(s.unsaid, item.Copy)
		}
		due[item.Copy] = matches && told
	}
	for _, item := range chosen.Items {
		if !due[item.Copy] && !slices.Contains(s.unsaid, item.Copy) {
			s.wrong = append(s.wrong, item.Copy)
		}
		delete(due, item.Copy)
	}
	for name, is := range due {
		if is {
			s.lacking = append(s.lacking, name)
		}
	}
	slices.Sort(s.lacking)
	return s
}

// wrongSelection says which items a LIST by fields wrongly holds or lacks, "" for none.
func wrongSelection(ev *trace.Evidence, act history.Operation) string {
	s := selected(ev, act)
	return selectedWrong(s.text, s.wrong, s.lacking)
}

func selectedWrong(selector string, wrong, lacking []string) string {
	var why []string
	if len(wrong) > 0 {
		why = append(why, fmt.Sprintf("holds %s, which does not match", blame.CopiesText(wrong)))
	}
	if len(lacking) > 0 {
		why = append(why, fmt.Sprintf("lacks %s, which does", blame.CopiesText(lacking)))
	}
	if len(why) == 0 {
		return ""
	}
	return fmt.Sprintf("the LIST by %s %s", selector, strings.Join(why, ", and "))
}

// listed returns the successful LIST of a step with a selector, "" for that of all; nil if none
// exists.
func listed(ev *trace.Evidence, step int, selector string) *history.Listing {
	for i, l := range ev.History.Listings {
		if l.Step == step && l.FieldSelector == selector && trace.Answer(l.Exchange).Ending() == ruling.Done {
			return &ev.History.Listings[i]
		}
	}
	return nil
}

// matchesAll reports whether an item meets all requirements of a selector, and whether the answer
// is known: one requirement that is certainly not met is enough.
func matchesAll(ev *trace.Evidence, all *history.Listing, item history.Item, selector fields.Selector) (matches, told bool) {
	told = true
	object := ev.History.Object(item.Answer)
	for _, r := range selector.Requirements() {
		label, clear := labelOf(ev, all, object, r)
		switch {
		case !clear:
			told = false
		case (label == r.Value) == (r.Operator == operator.NotEquals):
			return false, true
		}
	}
	return true, told
}

// labelOf returns the value that an object has for one requirement, as text. An answer may leave
// out a field at the zero of its type, which some servers select as that zero and some as "": the
// label is not clear then. Nor is it if it is not a path to a scalar.
func labelOf(ev *trace.Evidence, all *history.Listing, object map[string]any, r fields.Requirement) (label string, clear bool) {
	p, err := path.Parse("." + r.Field)
	if err != nil {
		return "", false
	}
	value, has := path.Get(object, p)
	if has && value != nil {
		switch value.(type) {
		case map[string]any, []any:
			return "", false
		}
		return fmt.Sprint(value), true
	}
	kind, _ := ev.Schemas[all.Role].Kind(all.APIVersion, all.Kind)
	switch kind.Scalar(p) {
	case "string":
		return "", true
	case "numeric":
		return "0", r.Value != "0" && r.Value != ""
	case "boolean":
		return "false", r.Value != "false" && r.Value != ""
	}
	return "", false
}
