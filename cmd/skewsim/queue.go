package main

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// job is one of many that hang on nothing but themselves: a run, or several that
// share a journey.
type job struct {
	names []string
	// do plays them, and tells what each of names came to.
	do func(ctx context.Context, tell func(int, ended))
}

// ended is what came of a run.
type ended struct {
	name  string
	err   error
	took  time.Duration
	begun bool // false: the queue was ended before its turn came
	with  int  // how many others were on its journey
	again bool // it is played once more, alone, which counts
	// company is what it came to in company, where that was not what counts; "": it
	// was played once.
	company string
	// attempts are how often it was played, this time the last; none: it was not.
	attempts []attempt
}

// doAll does the jobs in their order, so many at once, and tells of each run as it
// ends, one at a time. Once ctx is done no other job begins. What came of the runs is
// in the order of the jobs.
func doAll(ctx context.Context, atOnce int, jobs []job, tell func(ended)) []ended {
	var (
		group errgroup.Group
		mutex sync.Mutex
		all   = make([][]ended, len(jobs))
	)
	group.SetLimit(atOnce)
	for i, j := range jobs {
		all[i] = j.unbegun(context.Canceled)
		group.Go(func() error {
			if err := context.Cause(ctx); err != nil {
				all[i] = j.unbegun(err)
				return nil
			}
			j.do(ctx, func(which int, e ended) {
				mutex.Lock()
				defer mutex.Unlock()
				e.name, e.begun = j.names[which], true
				all[i][which] = e
				tell(e)
			})
			return nil // what one job comes to does not end the others
		})
	}
	_ = group.Wait() // no job gives it an error
	return slices.Concat(all...)
}

// unbegun is what comes of a job whose turn never came.
func (j job) unbegun(why error) []ended {
	all := make([]ended, len(j.names))
	for i, name := range j.names {
		all[i] = ended{name: name, err: why}
	}
	return all
}
