package fuzz

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
)

// mournWithin is how long skewsim waits to learn of a server's death after a request
// without an answer, or with an answer that a server gives when it ends.
const mournWithin = 2 * time.Second

// bury replaces the error of a request without an answer by the server's death, and reports
// the death if the server's last answers are doubtful. It returns any other error
// unchanged.
func bury(ctx context.Context, err error, doubtful bool, old, new servers.Process) error {
	var silent *NoAnswerError
	if ctx.Err() != nil || !doubtful && !errors.As(err, &silent) {
		return err
	}
	select {
	case <-old.Done():
	case <-new.Done():
	case <-ctx.Done():
	case <-time.After(mournWithin):
	}
	for _, p := range []servers.Process{old, new} {
		var exit *servers.ExitError
		if errors.As(p.Err(), &exit) {
			return exit
		}
	}
	return err
}

// whyEnded returns in words what ended a run early.
func whyEnded(ctx context.Context, err error) string {
	var exit *servers.ExitError
	switch {
	case err == nil:
		return ""
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "out of time"
	case ctx.Err() != nil:
		return "it was interrupted"
	case errors.As(err, &exit):
		return fmt.Sprintf("server %s (%s) died: %s; log: %s", exit.Name, exit.Build, exit.Status, exit.Log)
	}
	return err.Error()
}

// doubtful reports whether a dying server's answers may have ended a journey.
func doubtful(all []*journey) bool {
	return slices.ContainsFunc(all, func(j *journey) bool { return j != nil && slices.ContainsFunc(j.facts, j.traveller.MayBeLastWords) })
}

// keep drops the journeys that never began. If a server died, it also drops facts that its
// last answers seem to show: all doubtful facts of the journeys that its death cut off, and
// of the others those from the time when it may have been ending.
func keep(all []*journey, ended error) (begun []*journey, underway []Object) {
	var exit *servers.ExitError
	for _, j := range all {
		if j == nil {
			continue
		}
		begun = append(begun, j)
		last := Fact.IsDoubtful
		if j.done {
			last = j.traveller.MayBeLastWords
		} else {
			underway = append(underway, Object{j.traveller.Kind, j.number})
		}
		if errors.As(ended, &exit) {
			j.facts = slices.DeleteFunc(j.facts, last)
		}
	}
	return begun, underway
}

// partly returns the reason of a run that ended early without findings.
func (r *Result) partly() string {
	finished, all := 0, 0
	for _, lap := range r.Laps {
		for _, k := range lap.Kinds {
			finished += k.Objects
			all += k.Objects + k.Unfinished
		}
	}
	if all == 0 {
		return "no object was sent: " + r.Ended
	}
	last := r.Laps[len(r.Laps)-1].Features
	return fmt.Sprintf("the run ended early (features %s), after %d of %d journeys, and nothing was broken by then: %s", last, finished, all, r.Ended)
}

// ending writes, below the verdict, why the run ended early, and which objects were under
// way.
func (p *printer) ending(r Result) {
	if r.Ended == "" || len(r.Laps) == 0 {
		return
	}
	if r.Verdict == term.Fail { // else the reason says it
		p.line("  and it ended early: %s", r.Ended)
	}
	last := r.Laps[len(r.Laps)-1]
	if len(last.Underway) > 0 {
		p.line("  under way then, features %s: %s; play one again: %s", last.Features, r.numbered(last.Underway), r.Again(last.Underway[0]))
	}
}

func (r Result) numbered(objects []Object) string {
	var all []string
	for _, o := range objects {
		if len(r.Kinds) > 1 {
			all = append(all, fmt.Sprintf("%s #%d", o.Kind, o.Number))
		} else {
			all = append(all, fmt.Sprintf("#%d", o.Number))
		}
	}
	return strings.Join(all, ", ")
}
