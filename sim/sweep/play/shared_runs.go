package play

import (
	"context"
	"errors"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/sweep"
)

// sharedRun is what is played on one set of servers.
type sharedRun struct {
	lapRun
	settings sweep.Settings
	objects  []sweep.Object
	begun    func() // it asks the servers of the lap nothing more; it may be called again
}

// playAll executes the scenarios of a lap: those that may share servers on one set of servers, and
// each other one on its own, at the same time. What is set aside loses its object, also in
// objects. The servers on which the objects were tried are asked what each run needs to know
// before it begins, and end then.
func (s lapRun) playAll(ctx context.Context, objects []sweep.Object, settings sweep.Settings) ([]sweep.Evidence, error) {
	runs, err := s.sharedRuns(objects, settings)
	if err != nil {
		return nil, errors.Join(err, s.at.close())
	}
	ended := onceBegun(runs, s.at.close)
	played := make([][]sweep.Evidence, len(runs))
	problems := make([]error, len(runs))
	var group errgroup.Group // no run ends the others
	for i, r := range runs {
		group.Go(func() error {
			defer r.begun()
			problems[i] = fault.Guard(func() (err error) {
				played[i], err = r.play(ctx)
				return err
			})
			return nil
		})
	}
	_ = group.Wait() // problems has the errors
	for _, r := range runs {
		s.take(objects, r.objects)
	}
	return slices.Concat(played...), errors.Join(append(problems, <-ended)...)
}

// onceBegun calls end when all runs have begun, and returns its error.
func onceBegun(runs []*sharedRun, end func() error) <-chan error {
	var asking sync.WaitGroup
	for _, r := range runs {
		asking.Add(1)
		r.begun = sync.OnceFunc(asking.Done)
	}
	ended := make(chan error, 1)
	go func() {
		asking.Wait()
		ended <- end()
	}()
	return ended
}

// sharedRuns groups the objects of a lap by the servers that they may share.
func (s lapRun) sharedRuns(objects []sweep.Object, settings sweep.Settings) ([]*sharedRun, error) {
	generated, err := sweep.Scenarios(objects, settings)
	if err != nil {
		return nil, err
	}
	var shared, apart []sweep.Object
	for _, o := range objects {
		for _, g := range generated {
			if _, is := g.Scenario.Objects[o.Target.ID]; !is {
				continue
			}
			if g.Scenario.Isolate {
				apart = append(apart, o)
			} else {
				shared = append(shared, o)
			}
		}
	}
	var all []*sharedRun
	for _, of := range [][]sweep.Object{shared, apart} {
		if len(of) > 0 {
			all = append(all, &sharedRun{lapRun: s, settings: settings, objects: of})
		}
	}
	return all, nil
}

// maxTries is how often scenarios are generated, each time without the objects that the check
// before the run refused.
const maxTries = 4

// play executes the scenarios of a shared run, without the objects that are refused before.
func (r *sharedRun) play(ctx context.Context) (all []sweep.Evidence, err error) {
	var before []sweep.Generated // of the last try
	for try := 1; ; try++ {
		generated, err := sweep.Scenarios(r.objects, r.settings)
		err = errors.Join(err, removeTry(r.dir, before))
		if err != nil || len(generated) == 0 {
			return nil, err
		}
		willRetry := func(err error) bool {
			_, refused := withoutRefused(r.objects, generated, err)
			return len(refused) > 0 && try < maxTries
		}
		all, err = r.lapRun.play(ctx, generated, willRetry, r.begun)
		left, refused := withoutRefused(r.objects, generated, err)
		r.objects = left
		if len(refused) == 0 || try == maxTries {
			return all, err
		}
		before = generated
		r.say("%s: %s refused in the lap's settings, and set aside or changed", r.lap, term.Numbered(len(refused), "object"))
	}
}

// withoutRefused returns objects without those that the check before a run refused, with the reason, and the names of
// the objects that changed: none if something else ended a run. One that is refused for a default that it need not hold
// stays without it.
func withoutRefused(objects []sweep.Object, generated []sweep.Generated, err error) (left []sweep.Object, changed []string) {
	if err == nil {
		return objects, nil
	}
	refused, only := refusals(err, generated)
	if !only {
		return objects, nil
	}
	left = slices.Clone(objects)
	defaults := defaultsIn(err)
	for i := range left {
		o := &left[i]
		if withoutDefaults(o, defaults[o.Target.ID]) {
			changed = append(changed, o.Target.ID)
			continue
		}
		if words, is := refused[o.Target.ID]; is && o.Specimen.Object != nil {
			o.Specimen.Object, o.Specimen.Reason = nil, words
			changed = append(changed, o.Target.ID)
		}
	}
	slices.Sort(changed)
	return left, slices.Compact(changed)
}

// take takes over what a shared run set aside.
func (s lapRun) take(objects, played []sweep.Object) {
	for _, p := range played {
		if p.Specimen.Object != nil {
			continue
		}
		i := slices.IndexFunc(objects, func(o sweep.Object) bool { return o.Target.ID == p.Target.ID })
		objects[i].Specimen.Object, objects[i].Specimen.Reason = nil, p.Specimen.Reason
	}
}
