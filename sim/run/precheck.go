package run

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/guard"
	"github.com/skewsim/skewsim/sim/history"
)

// precheckConfig is what a pre-check works with.
type precheckConfig struct {
	known    *known // it fills in the releases
	options  *options
	servers  *scratchServers
	builds   map[term.Role]servers.Build
	clients  map[term.Role]client.Program
	gateTags map[term.Role][]byte // what the source of each release says of gates, as package schema reads it
	dir      string               // the run directory: it takes schemas/
	probes   string               // the directory that keeps what builds say of themselves; "": none
	keptOnly bool                 // start no server: use what probes keeps
	where    func(file, field string) string
	note     func(string)
	record   func(history.Record) error
}

// precheck finds out before the roll-out what both releases serve and accept.
type precheck struct {
	precheckConfig
	asker   *asker
	learner *learner
	fields  *planCheck
	objects *acceptance
}

func newPrecheck(c precheckConfig) *precheck {
	a := &asker{precheckConfig: c}
	r := &acceptance{precheckConfig: c, asker: a, answers: answers{term.Old: {}, term.New: {}}, declined: map[string]string{}}
	a.also = func(ctx context.Context, role term.Role, conn *client.Connection, served []history.Resource) error {
		return r.tryAll(ctx, role, conn, r.specimens(served))
	}
	return &precheck{
		precheckConfig: c, asker: a, learner: &learner{precheckConfig: c, asker: a},
		fields: &planCheck{known: c.known, where: c.place}, objects: r,
	}
}

// place returns the place of a field in an object file, for messages.
func (c precheckConfig) place(file, field string) string {
	if c.where == nil {
		return file
	}
	return c.where(file, field)
}

// run learns what both releases say of themselves, records it, and reports what is wrong
// with the plan as far as they know.
func (p *precheck) run(ctx context.Context) error {
	roles := []term.Role{term.Old, term.New}
	all := make([]*selfDescription, len(roles))
	wrong := make([]error, len(roles)) // options that a release does not take: reported of both releases
	group, bounded := errgroup.WithContext(ctx)
	for i, role := range roles {
		group.Go(func() error {
			return guard.Call(func() (err error) {
				all[i], err = p.asker.describeBuild(bounded, role, p.builds[role])
				if options := (*OptionsError)(nil); errors.As(err, &options) {
					wrong[i], err = options, nil
				}
				return err
			})
		})
	}
	if err := errors.Join(append(wrong, group.Wait())...); err != nil {
		return err
	}
	for i, role := range roles {
		if err := p.learner.learn(ctx, role, all[i]); err != nil {
			return err
		}
	}
	if err := errors.Join(p.fields.checkKinds(), p.fields.checkTreated(), p.fields.checkFields()); err != nil {
		return err
	}
	return p.objects.checkObjects(ctx)
}
