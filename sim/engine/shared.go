package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/run"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Member is a run of a pair that shares servers and their store with others.
type Member struct {
	Run    Run
	Events Events
	// Lend is that of run.Config, of the first member; nil: none.
	Lend func(servers.Build, servers.Options) *client.Connection
	// WillRetry is that of run.Config, of the first member too; nil: never.
	WillRetry func(error) bool
}

// member is one of the runs of a shared run while it is executed.
type member struct {
	Member
	engine *Engine
	parts  Parts
	dir    *rundir.Dir
	rec    *recording
	err    error // why it could not be executed, or what ended it early
}

// PlayShared executes runs of equal pairs on one set of servers, and returns how each
// ended. Each has a directory of its own, and is judged by itself, as many at once as there are cores. The first has the store
// and the logs; the others' directories link to the same logs. The first one's timeout
// applies to all.
func (e *Engine) PlayShared(ctx context.Context, members []Member) []Outcome {
	began := time.Now()
	all := make([]*member, len(members))
	for i, m := range members {
		all[i] = &member{Member: m, engine: e}
		all[i].err = all[i].begin(ctx)
	}
	e.walk(ctx, slices.DeleteFunc(slices.Clone(all), func(m *member) bool { return m.err != nil }))
	outcomes := make([]Outcome, len(all))
	var ending sync.WaitGroup
	for i, m := range all {
		ending.Go(func() { outcomes[i] = m.end() })
	}
	ending.Wait()
	for i := range outcomes {
		outcomes[i].Took, outcomes[i].With = time.Since(began), len(members)-1
	}
	return outcomes
}

// begin opens a member's directory and creates what it is executed with.
func (m *member) begin(ctx context.Context) (err error) {
	if m.parts, err = m.engine.Build(ctx, &m.Run, m.Events.Warn); err != nil {
		return err
	}
	if m.dir, err = m.engine.openDir(m.Run.Dir); err != nil {
		return err
	}
	if err = writePlan(m.dir, m.Run.Plan); err != nil {
		return err
	}
	if m.rec, err = m.engine.newRecording(ctx, m.dir, m.Run.Plan, m.parts, m.Run.Store, m.Events); err != nil {
		return err
	}
	m.rec.config.Lend, m.rec.config.WillRetry = m.Lend, m.WillRetry
	return nil
}

// walk executes all members on the servers of the first.
func (e *Engine) walk(ctx context.Context, all []*member) {
	if len(all) == 0 {
		return
	}
	host := all[0]
	ctx, cancel := WithTimeout(ctx, host.Run.Timeout)
	defer cancel()
	builds := map[term.Role]typedclient.Build{}
	for _, m := range all {
		maps.Copy(builds, m.parts.Clients)
	}
	typed := newTypedClients(builds, host.dir.File("logs"))
	defer typed.close()
	configs := make([]run.Config, len(all))
	for i, m := range all {
		m.rec.config.Clients = typed.of(m.parts)
		configs[i] = m.rec.config
	}
	for i, err := range run.Together(ctx, configs) {
		all[i].err = err
	}
	for _, m := range all[1:] {
		m.err = errors.Join(m.err, m.rec.close(), host.dir.Share("logs", m.dir))
	}
	host.err = errors.Join(host.err, host.rec.close())
}

// end judges what was recorded. A panic is the outcome of the member alone: its servers have ended, those of others have not.
func (m *member) end() (o Outcome) {
	err := fault.Guard(func() error {
		o = m.judged()
		return nil
	})
	if err != nil {
		return Outcome{Err: errors.Join(m.err, err)}
	}
	return o
}

func (m *member) judged() Outcome {
	o := Outcome{Err: m.err}
	if m.rec != nil {
		o = m.engine.conclude(m.dir, m.err, m.Events)
	}
	if m.dir != nil {
		o.Dir, o.Err = m.dir.Path, errors.Join(o.Err, m.engine.closeDir(m.dir))
	}
	return o
}
