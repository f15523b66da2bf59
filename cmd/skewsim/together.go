package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/run"
)

// fellow is one of a company while it is played.
type fellow struct {
	task task
	app  *app
	said *bytes.Buffer
	made made
	dir  *runDir
	rec  *recording
	err  error // what has kept it from being played, or ended it early
}

// together plays a company in silence, and gives what each came to. Before is what the
// transcript of each begins with.
func (a *app) together(ctx context.Context, c company, before []string) []error {
	all := make([]*fellow, len(c))
	for i, t := range c {
		said := bytes.NewBufferString(before[i] + fmt.Sprintf("on one journey with %s\n", c.others(t)))
		all[i] = &fellow{task: t, app: a.child(said), said: said}
		all[i].err = all[i].begin(ctx)
	}
	a.walk(ctx, slices.DeleteFunc(slices.Clone(all), func(f *fellow) bool { return f.err != nil }))
	errs := make([]error, len(all))
	for i, f := range all {
		errs[i] = f.end()
		a.leave(f.app)
	}
	return errs
}

// begin makes what a fellow is played with, and opens its directory.
func (f *fellow) begin(ctx context.Context) (err error) {
	if f.made, err = f.app.make(ctx, &f.task); err != nil {
		return err
	}
	if f.dir, err = openRunDir(f.task.flags.out); err != nil {
		return err
	}
	f.app.opened.Store(true)
	err = write(f.dir.path, "plan.txt", func(w io.Writer) error { return f.task.plan.Fprint(w) })
	if err == nil {
		f.rec, err = f.app.newRecording(ctx, f.dir, f.task.plan, f.made, f.task.flags)
	}
	return err
}

// walk plays all of them on the servers of the first, whose directory holds the
// store and the logs; the others' directories hold the same logs.
func (a *app) walk(ctx context.Context, all []*fellow) {
	if len(all) == 0 {
		return
	}
	host := all[0]
	ctx, cancel := withTimeout(ctx, host.task.flags.timeout)
	defer cancel()
	builds := map[term.Role]typedclient.Build{}
	for _, f := range all {
		maps.Copy(builds, f.made.clients)
	}
	typed := newPrograms(builds, host.dir.file("logs"))
	defer typed.close()
	configs := make([]run.Config, len(all))
	for i, f := range all {
		f.rec.config.Clients = typed.of(f.made)
		configs[i] = f.rec.config
	}
	for i, err := range run.Together(ctx, configs) {
		all[i].err = err
	}
	for _, f := range all[1:] {
		f.err = errors.Join(f.err, f.rec.close(), host.dir.share("logs", f.dir))
	}
	host.err = errors.Join(host.err, host.rec.close())
}

// end judges and reports what was recorded, and keeps what was said.
func (f *fellow) end() error {
	err := f.err
	if f.rec != nil {
		err = f.app.conclude(f.dir, err)
	}
	if text := lastWords(err); text != "" {
		fmt.Fprintln(f.said, text)
	}
	err = f.app.keep(err, f.task.flags.out, f.said.Bytes())
	if f.dir != nil {
		err = errors.Join(err, f.dir.close())
	}
	return err
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
