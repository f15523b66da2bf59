package sweep

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// releaseWords names a release of the pair.
func releaseWords(r term.Role) string {
	if r == "" {
		return "a release"
	}
	return "the " + string(r) + " release"
}

// throughWords name what a call went through: a release, or the definitions of one while the program of the other
// one runs.
func throughWords(via, program term.Role) string {
	if program == "" || program == via {
		return "through " + releaseWords(via)
	}
	return fmt.Sprintf("through the %s definitions with the %s program", via, program)
}

// words say what a write did: the verb, whose client, and through which release.
func (w write) words() string {
	through := throughWords(w.ViaRole, w.program)
	switch {
	case w.Birth && w.FieldValidation != "":
		return fmt.Sprintf("create %s, field validation %s", through, w.FieldValidation)
	case w.Birth:
		return "create " + through
	case w.Manager == OtherManager:
		return "apply by another manager " + through
	}
	text := fmt.Sprintf("%s of %s%s %s", w.Verb, w.object(), w.by(), through)
	if w.FieldValidation != "" {
		text += fmt.Sprintf(", field validation %s", w.FieldValidation)
	}
	return text
}

// object is what the write changes.
func (w write) object() string {
	switch {
	case w.Change != nil && w.Change.Kind == plan.Label:
		return Label
	case w.Change != nil && w.Change.Kind == plan.Condition:
		return Condition
	case w.sendsZero():
		return "a zero"
	case w.sendsValue() && w.Subresource == "":
		return "the value"
	case w.Subresource != "":
		return "the value to /" + w.Subresource
	}
	return "the object"
}

func (w write) by() string {
	if role, typed := w.Client.Role(); typed {
		return " by a client of " + releaseWords(role)
	}
	return ""
}
