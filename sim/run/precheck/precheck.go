package precheck

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
)

// Config is what a pre-check works with.
type Config struct {
	Known    *fleet.Known // Run fills in the releases
	Options  *fleet.Options
	Servers  *ScratchServers
	Builds   map[term.Role]servers.Build
	Clients  map[term.Role]client.Program
	GateTags map[term.Role][]byte // the gates that the source of each release names, as package schema reads them
	Dir      string               // the run directory: it gets schemas/
	Probes   string               // the directory that keeps what builds report about themselves; "": none
	KeptOnly bool                 // start no server: use the kept probes
	Where    func(file, field string) string
	Note     func(string)
	Record   func(history.Record) error
}

// Precheck finds out before the roll-out what both releases serve and accept.
type Precheck struct {
	Config
	asker   *asker
	learner *learner
	fields  *planCheck
	objects *acceptance
}

// New returns a pre-check, which has not asked any server yet.
func New(c Config) *Precheck {
	a := &asker{Config: c}
	r := &acceptance{Config: c, asker: a, answers: answers{term.Old: {}, term.New: {}}, declined: map[string]string{}}
	a.also = func(ctx context.Context, role term.Role, on scratch, served []history.Resource) error {
		return r.tryAll(ctx, role, on, r.specimens(served))
	}
	return &Precheck{
		Config: c, asker: a, learner: &learner{Config: c, asker: a},
		fields: &planCheck{known: c.Known, where: c.place}, objects: r,
	}
}

// place returns the place of a field in an object file, for messages.
func (c Config) place(file, field string) string {
	if c.Where == nil {
		return file
	}
	return c.Where(file, field)
}

// Result is what a pre-check found out for the run.
type Result struct {
	Accepted []string          // manifests that a release accepts
	Declined map[string]string // by manifest: why none of its copies is created
}

// Run reads and records what both releases report about themselves, and returns what is
// wrong with the plan as far as they know.
func (p *Precheck) Run(ctx context.Context) (Result, error) {
	roles := []term.Role{term.Old, term.New}
	all := make([]*selfDescription, len(roles))
	wrong := make([]error, len(roles)) // options that a release refuses: reported for both releases
	group, bounded := errgroup.WithContext(ctx)
	for i, role := range roles {
		group.Go(func() error {
			return fault.Guard(func() (err error) {
				all[i], err = p.asker.describeBuild(bounded, role, p.Builds[role])
				if options := (*fleet.OptionsError)(nil); errors.As(err, &options) {
					wrong[i], err = options, nil
				}
				return err
			})
		})
	}
	if err := errors.Join(append(wrong, group.Wait())...); err != nil {
		return Result{}, err
	}
	for i, role := range roles {
		if err := p.learner.learn(ctx, role, all[i]); err != nil {
			return Result{}, err
		}
	}
	if err := errors.Join(p.fields.checkKinds(), p.fields.checkTreated(), p.fields.checkFields()); err != nil {
		return Result{}, err
	}
	err := p.objects.checkObjects(ctx)
	return Result{Accepted: p.objects.taken, Declined: p.objects.declined}, err
}
