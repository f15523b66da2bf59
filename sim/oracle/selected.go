package oracle

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/fields"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/path"
)

// unlisted is the reason for what a LIST by fields leaves untold.
const unlisted = "all that a LIST by fields chose from could not be listed"

// wrongSelection says what a LIST by fields holds too much or too little, ""
// for nothing. What it must hold the LIST of all tells that was made beside it, at
// the same revision and in the same version: there each label is the path of a field.
func (e *evidence) wrongSelection(act history.Operation) string {
	text := e.steps[act.Step].step.FieldSelector
	all, chosen := e.listed(act.Step, ""), e.listed(act.Step, text)
	selector, err := fields.ParseSelector(text)
	if text == "" || all == nil || chosen == nil || err != nil || !act.Done() {
		return ""
	}
	due := map[string]bool{}
	for _, item := range all.Items {
		due[item.Copy] = selector.Matches(e.labelsOf(item, selector))
	}
	var wrong, lacking []string
	for _, item := range chosen.Items {
		if !due[item.Copy] {
			wrong = append(wrong, item.Copy)
		}
		delete(due, item.Copy)
	}
	for name, is := range due {
		if is {
			lacking = append(lacking, name)
		}
	}
	slices.Sort(lacking)
	return selectedWrong(text, wrong, lacking)
}

func selectedWrong(selector string, wrong, lacking []string) string {
	var why []string
	if len(wrong) > 0 {
		why = append(why, fmt.Sprintf("holds %s, which does not match", names(wrong)))
	}
	if len(lacking) > 0 {
		why = append(why, fmt.Sprintf("lacks %s, which does", names(lacking)))
	}
	if len(why) == 0 {
		return ""
	}
	return fmt.Sprintf("the LIST by %s %s", selector, strings.Join(why, ", and "))
}

// listed is the LIST that a step made with success by a selector, "" for that of
// all; nil: it made none.
func (e *evidence) listed(step int, selector string) *history.Listing {
	for i, l := range e.history.Listings {
		if l.Step == step && l.FieldSelector == selector && outcomeOfAnswer(l.Exchange) == done {
			return &e.history.Listings[i]
		}
	}
	return nil
}

// labelsOf are the fields of an item that a selector asks for, as text; one that
// the item has not is empty.
func (e *evidence) labelsOf(item history.Item, selector fields.Selector) fields.Set {
	set, object := fields.Set{}, e.history.Object(item.Answer)
	for _, r := range selector.Requirements() {
		set[r.Field] = ""
		p, err := path.Parse("." + r.Field)
		if err != nil {
			continue
		}
		if value, has := path.Get(object, p); has && value != nil {
			set[r.Field] = fmt.Sprint(value)
		}
	}
	return set
}
