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

// Transcript is the file of a run directory that holds the run's terminal output.
const Transcript = "run.txt"

// Runner executes cells.
type Runner struct {
	// Engine executes the runs. It is required.
	Engine *engine.Engine
	// Show returns what shows a cell's run on a writer. It is required by Play.
	Show func(c *Cell, w io.Writer) engine.Events
	// Retries is how often a cell is executed again after an infrastructure failure. If
	// Counted, there are no others; else a server that starts slowly is started once more,
	// and a shared run that an infrastructure failure ended is executed once more alone.
	Retries int
	Counted bool
	// Available reports whether a store that runs depend on answers, such as an external
	// etcd. While it does not, nothing is executed; nil: always available.
	Available func(ctx context.Context, at engine.Store) error
	// Warn receives outages and what builds lack; it may be nil.
	Warn func(text string)
	// Attempted receives each attempt as it ends; it may be nil.
	Attempted func(*Cell, engine.Outcome)

	outage outage
}

// Once executes a cell by itself. show receives, for each attempt, a note of the attempts
// before.
func (r *Runner) Once(ctx context.Context, c *Cell, show func(note string) engine.Events) Ended {
	return r.withRetries(ctx, Group{c}, func(ctx context.Context, _ Group, notes []string) []engine.Outcome {
		return []engine.Outcome{r.Engine.Play(ctx, c.Run, show(notes[0]))}
	})[0]
}

// Play executes a group, then executes the cells that did not pass once more alone, one
// after the other. It reports each cell when its last attempt has ended.
func (r *Runner) Play(ctx context.Context, g Group, report func(Ended)) {
	if len(g) == 1 {
		report(r.alone(ctx, g[0], ""))
		return
	}
	var left []Ended
	for _, e := range r.withRetries(ctx, g, r.attempt) {
		if e.Again = r.triesAlone(ctx, e.Outcome); e.Again {
			left = append(left, e)
		}
		report(e)
	}
	for _, first := range left {
		first.Again = false
		if ctx.Err() != nil { // its outcome in the shared run stands
			report(first)
			continue
		}
		c, word := first.Cell, WordOf(first.Outcome)
		c.tried = slices.Concat(c.tried, attemptsOf(matrix.Cell{}, first.Attempts))
		e := r.alone(ctx, c, fmt.Sprintf("in a shared run with %s the outcome was: %s. This is the run alone, which counts\n", g.others(c), word))
		e.InShared, e.Attempts = word, append(first.Attempts, e.Attempts...)
		report(e)
	}
}

// alone executes a cell by itself; before is the beginning of its transcript.
func (r *Runner) alone(ctx context.Context, c *Cell, before string) Ended {
	return r.withRetries(ctx, Group{c}, func(ctx context.Context, _ Group, notes []string) []engine.Outcome {
		return []engine.Outcome{r.transcribed(ctx, c, before+notes[0])}
	})[0]
}

// attempt executes the rest of a group once; a cell that is the only one left runs alone.
func (r *Runner) attempt(ctx context.Context, g Group, before []string) []engine.Outcome {
	if len(g) == 1 {
		return []engine.Outcome{r.transcribed(ctx, g[0], before[0])}
	}
	members, said := make([]engine.Member, len(g)), make([]*bytes.Buffer, len(g))
	for i, c := range g {
		said[i] = bytes.NewBufferString(before[i] + fmt.Sprintf("shared run with %s\n", g.others(c)))
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

// keep writes the transcript into the run's directory, if the run has one: files in any
// other directory are those of another run.
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

// again reports whether a cell is executed once more alone because of its outcome in a
// shared run, which the other scenarios may have caused. They cannot have caused an error
// before the first server served, or an interruption.
func again(ctx context.Context, o engine.Outcome) bool {
	if WordOf(o) == matrix.Passed || ctx.Err() != nil {
		return false
	}
	var refused *run.RefusedError
	return o.Fault().Kind != fault.User || errors.As(o.Err, &refused)
}

// triesAlone is again, except for infrastructure failures that were retried often enough.
func (r *Runner) triesAlone(ctx context.Context, o engine.Outcome) bool {
	return again(ctx, o) && (!r.Counted || o.Fault().Kind != fault.Infrastructure)
}

// pauses are the times between attempts; the last one repeats. A resource that the machine
// lacks may be free again after a moment.
func pauses() []time.Duration { return []time.Duration{time.Second, 5 * time.Second, 30 * time.Second} }

// withRetries executes a group, and executes again the cells that an infrastructure failure
// ended: after a pause, while the store is available, and as often as the runner allows. It
// never repeats a run that was judged. do receives, for each cell, a note of its attempts
// so far.
func (r *Runner) withRetries(ctx context.Context, g Group, do func(_ context.Context, _ Group, notes []string) []engine.Outcome) []Ended {
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

// startRetries is how often a run whose server could not start on a busy machine is
// executed again even if the user asked for no retries. It is bounded, since a server may
// never get ready.
const startRetries = 1

// retries returns how often a run with this outcome is executed again.
func (r *Runner) retries(o engine.Outcome) int {
	if o.Fault().IsSlowStart() && !r.Counted {
		return max(r.Retries, startRetries)
	}
	return r.Retries
}

// mayTry waits until an attempt may begin, and returns false if it may not. The first
// attempt always may.
func (r *Runner) mayTry(ctx context.Context, try int, c *Cell) bool {
	if try == 0 {
		r.standing(ctx, c.Run.Store)
		return true
	}
	return pause(ctx, pauses()[min(try, len(pauses()))-1]) && r.standing(ctx, c.Run.Store)
}

// standing waits until a store that was lost answers again; it returns false if it does
// not.
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

// notesOn returns the beginning of a run's transcript: the infrastructure failures that
// ended its earlier attempts.
func notesOn(attempts []matrix.Attempt) (text string) {
	for i, t := range attempts {
		if t.Infrastructure != "" {
			text += fmt.Sprintf("an infrastructure failure ended attempt %d: %s. It is not a verdict, so the run is repeated\n", i+1, t.Infrastructure)
		}
	}
	return text
}

// attemptsOf returns the attempts for matrix.json: those of an earlier matrix, if none of
// them was the last, and those of this one.
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

// Rounded returns seconds rounded to hundredths, as they are stored.
func Rounded(seconds float64) float64 { return float64(int64(seconds*100+0.5)) / 100 }
