package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/run"
)

// together plays a company in silence, and gives what each came to. Before is what the
// transcript of each begins with.
func (a *app) together(ctx context.Context, c company, before []string) []error {
	members, said := make([]engine.Member, len(c)), make([]*bytes.Buffer, len(c))
	for i, t := range c {
		said[i] = bytes.NewBufferString(before[i] + fmt.Sprintf("on one journey with %s\n", c.others(t)))
		members[i] = engine.Member{Run: t.Run, Events: a.screen(said[i], said[i], t.quiet)}
	}
	errs := make([]error, len(c))
	for i, o := range a.runner().PlayShared(ctx, members) {
		errs[i] = keep(o, said[i])
	}
	return errs
}

// others are the names of the others of a company, in words.
func (c company) others(t task) string {
	return strings.Join(without(c.names(), t.name()), ", ")
}

func without(names []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(other string) bool { return other == name })
}

// again tells whether what a run came to in company is to be tried alone: company
// may have done it. What was wrong before the first server served, and an
// interruption, came of something else.
func again(ctx context.Context, err error) bool {
	if err == nil || ctx.Err() != nil {
		return false
	}
	var refused *run.RefusedError
	return !fault.Is(err, fault.User) || errors.As(err, &refused)
}

// triesAlone is again, but for what the machine ended where that was played often enough.
func (a *app) triesAlone(ctx context.Context, err error) bool {
	return again(ctx, err) && (!a.insists || !fault.Is(err, fault.Infrastructure))
}

// playCompany plays a company, and once more alone, one after the other, those of it
// that did not pass. It tells of each when that is all.
func (a *app) playCompany(ctx context.Context, c company, tell func(int, ended)) {
	if len(c) == 1 {
		tell(0, a.playAlone(ctx, c[0], ""))
		return
	}
	var left []int
	all := a.insist(ctx, c, a.playSome)
	for i, e := range all {
		if e.again = a.triesAlone(ctx, e.err); e.again {
			left = append(left, i)
		}
		tell(i, e)
	}
	for _, i := range left {
		first := all[i]
		first.again = false
		if ctx.Err() != nil { // what it came to in company is what it came to
			tell(i, first)
			continue
		}
		word, t := outcomeOf(first.err), c[i]
		t.tried = slices.Concat(t.tried, attemptsOf(matrix.Cell{}, first.attempts))
		e := a.playAlone(ctx, t, fmt.Sprintf("in company with %s it came to: %s. This is the run alone, which counts\n", c.others(c[i]), word))
		e.company, e.attempts = word, append(first.attempts, e.attempts...)
		tell(i, e)
	}
}

// playAlone plays a task by itself; before is what its transcript begins with.
func (a *app) playAlone(ctx context.Context, t task, before string) ended {
	return a.insist(ctx, company{t}, func(ctx context.Context, c company, notes []string) []error {
		return []error{a.alone(ctx, c[0], before+notes[0])}
	})[0]
}
