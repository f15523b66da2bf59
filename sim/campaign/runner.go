package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/run"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Transcript is the file of a run directory that holds what was shown of the run.
const Transcript = "run.txt"

// Runner executes cells.
type Runner struct {
	// Engine executes the runs. It is required.
	Engine *engine.Engine
	// Show returns what shows a cell's run on a writer. It is required by Play.
	Show func(c *Cell, w io.Writer) engine.Events
	// Retries is how often a cell is executed again that the infrastructure ended. Counted
	// says that these are all: otherwise a server that starts slowly is started once more,
	// and what the infrastructure ended in a shared run is executed once more alone.
	Retries int
	Counted bool
	// Available asks whether what runs depend on answers, such as an etcd of others. While
	// it does not nothing is executed; nil: it always does.
	Available func(ctx context.Context, at engine.Store) error
	// Warn is told of outages, and of what builds lack; nil: nobody is.
	Warn func(text string)
	// Attempted is told of each attempt as it ends; nil: nobody is.
	Attempted func(*Cell, engine.Outcome)

	outage outage
}

// Once executes a cell by itself. show is given a note of the attempts before, for each.
func (r *Runner) Once(ctx context.Context, c *Cell, show func(note string) engine.Events) Ended {
	return r.insist(ctx, Group{c}, func(ctx context.Context, _ Group, notes []string) []engine.Outcome {
		return []engine.Outcome{r.Engine.Play(ctx, c.Run, show(notes[0]))}
	})[0]
}

// Play executes a group, and those of it that did not pass once more alone, one after the
// other. It reports each cell when that is all.
func (r *Runner) Play(ctx context.Context, g Group, report func(Ended)) {
	if len(g) == 1 {
		report(r.alone(ctx, g[0], ""))
		return
	}
	var left []Ended
	for _, e := range r.insist(ctx, g, r.attempt) {
		if e.Again = r.triesAlone(ctx, e.Outcome); e.Again {
			left = append(left, e)
		}
		report(e)
	}
	for _, first := range left {
		first.Again = false
		if ctx.Err() != nil { // how it ended in the shared run is how it ended
			report(first)
			continue
		}
		c, word := first.Cell, WordOf(first.Outcome)
		c.tried = slices.Concat(c.tried, attemptsOf(matrix.Cell{}, first.Attempts))
		e := r.alone(ctx, c, fmt.Sprintf("in company with %s it came to: %s. This is the run alone, which counts\n", g.others(c), word))
		e.InShared, e.Attempts = word, append(first.Attempts, e.Attempts...)
		report(e)
	}
}

// alone executes a cell by itself; before is what its transcript begins with.
func (r *Runner) alone(ctx context.Context, c *Cell, before string) Ended {
	return r.insist(ctx, Group{c}, func(ctx context.Context, _ Group, notes []string) []engine.Outcome {
		return []engine.Outcome{r.transcribed(ctx, c, before+notes[0])}
	})[0]
}

// attempt executes what is left of a group once: a cell that is alone now goes alone.
func (r *Runner) attempt(ctx context.Context, g Group, before []string) []engine.Outcome {
	if len(g) == 1 {
		return []engine.Outcome{r.transcribed(ctx, g[0], before[0])}
	}
	members, said := make([]engine.Member, len(g)), make([]*bytes.Buffer, len(g))
	for i, c := range g {
		said[i] = bytes.NewBufferString(before[i] + fmt.Sprintf("on one journey with %s\n", g.others(c)))
		members[i] = engine.Member{Run: c.Run, Events: r.Show(c, said[i])}
	}
	outcomes := r.Engine.PlayShared(ctx, members)
	for i := range outcomes {
		outcomes[i] = keep(outcomes[i], said[i])
	}
	return outcomes
}

func (r *Runner) transcribed(ctx context.Context, c *Cell, before string) engine.Outcome {
	said := bytes.NewBufferString(before)
	return keep(r.Engine.Play(ctx, c.Run, r.Show(c, said)), said)
}

// keep leaves the transcript in the run's directory, if the run has one: what lies in any
// other is an earlier run's, or another's.
func keep(o engine.Outcome, said *bytes.Buffer) engine.Outcome {
	if text := Message(o.Err); text != "" {
		fmt.Fprintln(said, text)
	}
	if o.Dir == "" {
		return o
	}
	o.Err = errors.Join(o.Err, rundir.WriteFile(o.Dir, Transcript, func(w io.Writer) error {
		_, err := w.Write(said.Bytes())
		return err
	}))
	return o
}

// again reports whether a cell is executed once more alone for how it ended in a shared run:
// the others may have done it. What was wrong before the first server served, and an
// interruption, have another cause.
func again(ctx context.Context, o engine.Outcome) bool {
	if WordOf(o) == matrix.Passed || ctx.Err() != nil {
		return false
	}
	var refused *run.RefusedError
	return o.Fault().Kind != fault.User || errors.As(o.Err, &refused)
}

// triesAlone is again, without what the infrastructure ended where that was executed often
// enough.
func (r *Runner) triesAlone(ctx context.Context, o engine.Outcome) bool {
	return again(ctx, o) && (!r.Counted || o.Fault().Kind != fault.Infrastructure)
}

// pauses are the times between attempts; the last is that of all that follow. What the
// machine lacks now it may have in a moment, and not at once.
func pauses() []time.Duration { return []time.Duration{time.Second, 5 * time.Second, 30 * time.Second} }

// insist executes a group, and what of it the infrastructure ended again, as often as the
// runner says, after a pause, and not while what runs depend on is away. What was judged is
// never executed again. do is given, for each cell, a note of its attempts so far.
func (r *Runner) insist(ctx context.Context, g Group, do func(_ context.Context, _ Group, notes []string) []engine.Outcome) []Ended {
	all := make([]Ended, len(g))
	left := make([]int, len(g))
	for i, c := range g {
		left[i], all[i].Cell = i, c
	}
	for try := 0; len(left) > 0 && r.mayTry(ctx, try, g[left[0]]); try++ {
		some, notes := make(Group, len(left)), make([]string, len(left))
		for k, i := range left {
			some[k], notes[k] = g[i], notesOn(slices.Concat(g[i].tried, attemptsOf(matrix.Cell{}, all[i].Attempts)))
		}
		began := time.Now()
		for k, o := range do(ctx, some, notes) {
			e := &all[left[k]]
			o.Took, o.With = time.Since(began), len(some)-1
			e.Outcome, e.Attempts = o, append(e.Attempts, o)
			r.outage.suspect(o.Err)
			if r.Attempted != nil {
				r.Attempted(e.Cell, o)
			}
		}
		left = slices.DeleteFunc(left, func(i int) bool {
			o := all[i].Outcome
			return try >= r.retries(o) || ctx.Err() != nil || !o.Fault().IsRetryable()
		})
	}
	return all
}

// startRetries is how often a run whose server could not start on a busy machine is executed
// again, also where nobody asked for retries: a server that never gets ready is not waited
// for without end.
const startRetries = 1

// retries returns how often a run is executed again that ended so.
func (r *Runner) retries(o engine.Outcome) int {
	if o.Fault().IsSlowStart() && !r.Counted {
		return max(r.Retries, startRetries)
	}
	return r.Retries
}

// mayTry waits for the time of an attempt; false: it is not made. The first always is.
func (r *Runner) mayTry(ctx context.Context, try int, c *Cell) bool {
	if try == 0 {
		r.standing(ctx, c.Run.Store)
		return true
	}
	return pause(ctx, pauses()[min(try, len(pauses()))-1]) && r.standing(ctx, c.Run.Store)
}

// standing waits until what runs depend on answers, if it was lost; false: it does not.
func (r *Runner) standing(ctx context.Context, at engine.Store) bool {
	if r.Available == nil {
		return true
	}
	return r.outage.wait(ctx, func(ctx context.Context) error { return r.Available(ctx, at) }, func(text string) { r.warn("skewsim: " + text) })
}

func (r *Runner) warn(text string) {
	if r.Warn != nil {
		r.Warn(text)
	}
}

// notesOn says, at the head of a run's transcript, what of the infrastructure ended it
// before.
func notesOn(attempts []matrix.Attempt) (text string) {
	for i, t := range attempts {
		if t.Infrastructure != "" {
			text += fmt.Sprintf("attempt %d was ended by the machine: %s. It is no verdict, so it is played again\n", i+1, t.Infrastructure)
		}
	}
	return text
}

// attemptsOf returns the attempts that an earlier matrix left, where none of them was the
// last, and those of this one, as matrix.json has them.
func attemptsOf(before matrix.Cell, these []engine.Outcome) (all []matrix.Attempt) {
	if before.Phase != matrix.Done || before.Infrastructure {
		all = append(all, before.Attempts...)
	}
	for _, o := range these {
		a := matrix.Attempt{Outcome: WordOf(o), Took: Rounded(o.Took.Seconds()), With: o.With, Infrastructure: o.Fault().Reason()}
		if a.Infrastructure != "" {
			a.Reason = FirstLine(o.Err)
		}
		if errors.Is(o.Err, context.Canceled) {
			a.Outcome = matrix.Ended
		}
		all = append(all, a)
	}
	return all
}

// Rounded returns seconds as they are kept: to the hundredth.
func Rounded(seconds float64) float64 { return float64(int64(seconds*100+0.5)) / 100 }
