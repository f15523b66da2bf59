package trace

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// TriedCopies returns the copies whose result a dry run represents, if they exist and could be
// written before the upgrade; its own copy comes first.
func (n RefusedTries) TriedCopies(ev *Evidence, op history.Operation) []string {
	return slices.DeleteFunc(append([]string{op.Copy}, op.For...), func(name string) bool {
		tl := ev.ByCopy[name]
		if tl == nil {
			return name == op.Copy // a damaged history may name any copy
		}
		return tl.IsGone(op.Step) || mayNotBeTried(ev, tl, op) || !op.Exchange.Succeeded() && n.has(tl, op)
	})
}

// mayNotBeTried reports whether a refusal of the dry run says nothing about the object: an object
// that is being deleted takes no new finalizer, a custom resource without replicas has no scale, and
// a release does not serve every API version.
func mayNotBeTried(ev *Evidence, tl *Timeline, op history.Operation) bool {
	return op.Attempt == term.FinalizerAttempt && ev.IsBeingDeleted(tl, op.Step) || op.Attempt == term.ScaleAttempt && hasNoScale(op.Exchange) ||
		triesUnserved(ev, tl, op)
}

// noReplicas is what servers say of the scale of a custom resource without a value at the path of
// its replicas. They answer 500, as for what they cannot read.
var noReplicas = regexp.MustCompile(`the spec replicas field "[^"]*" does not exist$`)

func hasNoScale(x history.Exchange) bool {
	return x.Code == http.StatusInternalServerError && noReplicas.MatchString(x.Message)
}

// Tried returns the copy that a finding about a dry run names.
func Tried(ev *Evidence, op history.Operation, due []string) *Timeline {
	if tl := ev.ByCopy[due[0]]; tl != nil {
		return tl
	}
	return ev.ByCopy[op.Copy] // a damaged history may name another
}

// RefusedTries are the dry runs that were refused in the first stage: by copy, and by manifest
// with the code of the answer.
type RefusedTries struct {
	tried, written map[string]bool // by copy and attempt
	refused        map[string]bool // by manifest, attempt and code
}

// NeverWritable returns the dry runs that the first stage's server refused. A copy that existed
// then is compared with itself; a later copy is compared with copies of the same manifest.
func NeverWritable(ev *Evidence) RefusedTries {
	n := RefusedTries{tried: map[string]bool{}, written: map[string]bool{}, refused: map[string]bool{}}
	for _, op := range ev.Calls.Tries {
		if ev.Steps[op.Step].StageIndex > 0 {
			continue
		}
		for _, name := range append([]string{op.Copy}, op.For...) {
			tl := ev.ByCopy[name]
			if tl == nil || tl.IsGone(op.Step) || mayNotBeTried(ev, tl, op) {
				continue
			}
			refused := IsRefusal(op.Exchange) || op.Exchange.Panic != nil
			n.tried[tryOf(name, op)] = n.tried[tryOf(name, op)] || refused
			n.written[tryOf(name, op)] = n.written[tryOf(name, op)] || op.Exchange.Succeeded()
			if refused {
				n.refused[answerTo(tl, op)] = true
			}
		}
	}
	return n
}

// has reports whether a dry run was refused before the upgrade: of the copy itself by every
// server, or of a copy of the same manifest with the same code.
func (n RefusedTries) has(tl *Timeline, op history.Operation) bool {
	if refused, tried := n.tried[tryOf(tl.Copy.Name, op)]; tried {
		return refused && !n.written[tryOf(tl.Copy.Name, op)]
	}
	return n.refused[answerTo(tl, op)]
}

func tryOf(name string, op history.Operation) string { return name + " " + string(op.Attempt) }

func answerTo(tl *Timeline, op history.Operation) string {
	return fmt.Sprint(tl.Copy.Manifest, " ", op.Attempt, " ", op.Exchange.Code)
}
