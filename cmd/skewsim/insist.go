package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/matrix"
)

// attempt is one time that a run was played.
type attempt struct {
	err  error
	took time.Duration
	with int // how many others were on its journey
}

// pauses are the times between attempts; the last is that of all that follow. What the
// machine lacks now it may have in a moment, and not at once.
func pauses() []time.Duration { return []time.Duration{time.Second, 5 * time.Second, 30 * time.Second} }

// insist plays a company, and what of it the machine ended again, up to a.retries times
// more, after a pause, and not while what runs stand on is away. What was judged is never
// played again. Before is given to play for each: a note of the attempts so far.
func (a *app) insist(ctx context.Context, c company, play func(_ context.Context, _ company, before []string) []error) []ended {
	all := make([]ended, len(c))
	left := make([]int, len(c))
	for i := range c {
		left[i] = i
	}
	for try := 0; len(left) > 0 && a.mayTry(ctx, try, c[left[0]]); try++ {
		some, notes := make(company, len(left)), make([]string, len(left))
		for k, i := range left {
			some[k], notes[k] = c[i], retryNotes(slices.Concat(c[i].tried, attemptsOf(matrix.Cell{}, all[i].attempts)))
		}
		began := time.Now()
		came := play(ctx, some, notes)
		for k, i := range left {
			e := &all[i]
			e.err, e.took, e.with = came[k], time.Since(began), len(some)-1
			e.attempts = append(e.attempts, attempt{e.err, e.took, e.with})
			a.outage.suspect(e.err)
			if a.noted != nil {
				a.noted(c[i], e.attempts[len(e.attempts)-1])
			}
		}
		left = slices.DeleteFunc(left, func(i int) bool {
			return try >= a.triesMore(all[i].err) || ctx.Err() != nil || !fault.Of(all[i].err).IsRetryable()
		})
	}
	return all
}

// startRetries is how often a run whose server could not start on a starved machine is
// played again, also where nobody asked for retries: a server that never gets ready is not
// waited for without end.
const startRetries = 1

// triesMore is how often a run is played again that an error ended.
func (a *app) triesMore(err error) int {
	if fault.Of(err).IsSlowStart() && !a.insists {
		return max(a.retries, startRetries)
	}
	return a.retries
}

// mayTry waits for the time of an attempt; false: it is not made. The first always is.
func (a *app) mayTry(ctx context.Context, try int, t task) bool {
	if try == 0 {
		a.standing(ctx, t.Store)
		return true
	}
	return pause(ctx, pauses()[min(try, len(pauses()))-1]) && a.standing(ctx, t.Store)
}

// playSome plays what is left of a company: who is alone now goes alone.
func (a *app) playSome(ctx context.Context, some company, before []string) []error {
	if len(some) == 1 {
		return []error{a.alone(ctx, some[0], before[0])}
	}
	return a.together(ctx, some, before)
}

// retryNotes tell, at the head of a run's transcript, what of the machine ended it before.
func retryNotes(attempts []matrix.Attempt) (text string) {
	for i, t := range attempts {
		if t.Infrastructure != "" {
			text += fmt.Sprintf("attempt %d was ended by the machine: %s. It is no verdict, so it is played again\n", i+1, t.Infrastructure)
		}
	}
	return text
}
