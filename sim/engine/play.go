package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/run"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Play executes a run, judges what it recorded, however it ended, and has events write the
// reports. It makes the builds that are missing. When ctx ends, the run stops its servers
// and is judged by what it saw.
func (e *Engine) Play(ctx context.Context, r Run, events Events) Outcome {
	began := time.Now()
	var o Outcome
	if r.Plan == nil {
		o = e.playChain(ctx, r, events)
	} else if parts, err := e.Build(ctx, &r, events.Warn); err != nil {
		o.Err = err
	} else {
		o = e.PlayWith(ctx, r, parts, events)
	}
	o.Took = time.Since(began)
	return o
}

// PlayWith executes the run of a pair with builds that are already made.
func (e *Engine) PlayWith(ctx context.Context, r Run, parts Parts, events Events) (o Outcome) {
	dir, err := e.openDir(r.Dir)
	if err != nil {
		return Outcome{Err: err}
	}
	defer func() { o.Err = errors.Join(o.Err, e.closeDir(dir)) }()
	if err := writePlan(dir, r.Plan); err != nil {
		return Outcome{Err: err, Dir: dir.Path}
	}
	return e.conclude(dir, errors.Join(e.record(ctx, dir, r.Plan, parts, r.Request, events)), events)
}

// conclude judges a run, and has its reports written. As many runs are judged at once as there are cores: each reads the schemas of
// both releases.
func (e *Engine) conclude(dir *rundir.Dir, ended error, events Events) Outcome {
	e.judging <- struct{}{}
	defer func() { <-e.judging }()
	began := time.Now()
	j, err := judge(dir.Path)
	if err != nil {
		return Outcome{Err: errors.Join(ended, err), Dir: dir.Path}
	}
	res, err := events.Report(rundir.Judged{Dir: dir.Path, Judgement: j, Ended: ended, Began: began})
	if err = errors.Join(err, j.History.Err()); err != nil {
		return Outcome{Err: Advise(errors.Join(ended, err)), Dir: dir.Path}
	}
	return Outcome{Verdict: verdict(res, j.History.Header.Plan, ended), Err: Advise(ended), Dir: dir.Path}
}

// judge judges what the engine recorded in a directory. A record that is gone by now is no mistake of
// whoever named the directory.
func judge(dir string) (rundir.Judgement, error) {
	j, err := rundir.Judge(dir, "")
	if none := (*history.NoneError)(nil); errors.As(err, &none) {
		err = fmt.Errorf("%s: %s was removed while the run wrote it, so nothing can be judged: run it again", dir, history.FileName)
	}
	return j, err
}

// verdict returns the verdict that counts. A run that ended early is not judged unless it
// failed by then. If the only finding is that no server accepted a file, the error is the
// file's, and the user's.
func verdict(res result.Result, p plan.Plan, ended error) term.VerdictWord {
	var refused *run.RefusedError
	switch {
	case errors.As(ended, &refused) && !foundMore(res, p):
		return ""
	case ended != nil && res.Verdict != term.Fail:
		return ""
	}
	return res.Verdict
}

// foundMore reports whether an unexpected finding is about more than an object that could
// not be created.
func foundMore(res result.Result, p plan.Plan) bool {
	births := map[int]bool{}
	for _, stage := range p.Stages {
		for _, step := range stage.Steps {
			births[step.Number] = step.Birth
		}
	}
	return slices.ContainsFunc(res.Findings, func(f result.Finding) bool {
		return !f.Expected && !(f.Check == term.CheckAnswers && f.Outcome == term.Refused && births[f.Step])
	})
}

// Advise adds which option to use after a full disk: the packages below know none.
func Advise(err error) error {
	if fault.Has(err, fault.DiskFull) {
		return fault.Optionf("%w; free some space there, or name a directory elsewhere with {out}", err)
	}
	return err
}

// Build makes the builds and clients of a pair, and plans the run again with their
// versions: only the build of a path: reference says which release it is. It returns a
// user's error if the scenario does not apply to the builds, and the errors of Builds.
func (e *Engine) Build(ctx context.Context, r *Run, say func(string)) (parts Parts, err error) {
	parts.where, parts.place = r.Scenario.Where, r.Scenario.Place
	if parts.Servers, err = e.Servers(ctx, r.Refs); err != nil {
		return parts, err
	}
	if err = r.Built(parts.Servers[term.Old], parts.Servers[term.New]); err != nil {
		return parts, err
	}
	parts.Clients, err = e.config.Builds.TypedClients(ctx, ClientRolesOf(r.Plan), parts.Servers, say)
	return parts, err
}

// Servers makes the builds of a pair, one after the other, since each build uses all cores.
func (e *Engine) Servers(ctx context.Context, refs []servers.Reference) (map[term.Role]servers.Build, error) {
	builds := map[term.Role]servers.Build{}
	for i, role := range []term.Role{term.Old, term.New} {
		b, err := e.config.Builds.Build(ctx, refs[i])
		if err != nil {
			return nil, err
		}
		builds[role] = b
	}
	return builds, nil
}

// Prebuild makes the builds of a run in advance. Those of the reference server always
// exist.
func (e *Engine) Prebuild(ctx context.Context, r Run, say func(string)) error {
	if r.Refs[0].Scheme == servers.SchemeTrain {
		return nil
	}
	if r.Plan != nil {
		_, err := e.Build(ctx, &r, say)
		return err
	}
	for _, ref := range r.Refs {
		if _, err := e.config.Builds.Build(ctx, ref); err != nil {
			return err
		}
	}
	return nil
}

// ClientRolesOf returns the releases whose typed clients the plan has, the old one first.
func ClientRolesOf(p *plan.Plan) ClientRoles {
	has := map[term.Role]bool{}
	for _, stage := range p.Stages {
		for _, s := range stage.Steps {
			if role, typed := s.Client.Role(); typed {
				has[role] = true
			}
		}
	}
	c := ClientRoles{Older: p.Clients}
	for _, role := range []term.Role{term.Old, term.New, term.Older} {
		if has[role] {
			c.Roles = append(c.Roles, role)
		}
	}
	return c
}
