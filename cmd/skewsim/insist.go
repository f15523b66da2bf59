package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// attempt is one time that a run was played.
type attempt struct {
	err  error
	took time.Duration
	with int // how many others were on its journey
}

// insist plays a company, and what of it the machine ended again, up to a.retries times
// more. What was judged is never played again. Before is given to play for each: a note
// of the attempts so far.
func (a *app) insist(ctx context.Context, c company, play func(_ context.Context, _ company, before []string) []error) []ended {
	all := make([]ended, len(c))
	left := make([]int, len(c))
	for i := range c {
		left[i] = i
	}
	for try := 0; len(left) > 0; try++ {
		some, notes := make(company, len(left)), make([]string, len(left))
		for k, i := range left {
			some[k], notes[k] = c[i], retryNotes(all[i].attempts)
		}
		began := time.Now()
		came := play(ctx, some, notes)
		for k, i := range left {
			e := &all[i]
			e.err, e.took, e.with = came[k], time.Since(began), len(some)-1
			e.attempts = append(e.attempts, attempt{e.err, e.took, e.with})
			if a.noted != nil {
				a.noted(c[i], e.attempts[len(e.attempts)-1])
			}
		}
		left = slices.DeleteFunc(left, func(i int) bool { return try >= a.retries || ctx.Err() != nil || flaky(all[i].err) == "" })
	}
	return all
}

// playSome plays what is left of a company: who is alone now goes alone.
func (a *app) playSome(ctx context.Context, some company, before []string) []error {
	if len(some) == 1 {
		return []error{a.alone(ctx, some[0], before[0])}
	}
	return a.together(ctx, some, before)
}

// retryNotes tell, at the head of a run's transcript, what ended it before.
func retryNotes(attempts []attempt) (text string) {
	for i, t := range attempts {
		text += fmt.Sprintf("attempt %d was ended by the machine: %s. It is no verdict, so it is played again\n", i+1, flaky(t.err))
	}
	return text
}
