package main

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// job is one of many that hang on nothing but themselves.
type job struct {
	name string
	do   func(context.Context) error
}

// ended is what came of a job.
type ended struct {
	name  string
	err   error
	took  time.Duration
	begun bool // false: the queue was ended before its turn came
}

// doAll does the jobs in their order, so many at once, and tells of each as it
// ends, one at a time. Once ctx is done no other begins. What came of the jobs is in
// the order of the jobs.
func doAll(ctx context.Context, atOnce int, jobs []job, tell func(ended)) []ended {
	var (
		group errgroup.Group
		mutex sync.Mutex
		all   = make([]ended, len(jobs))
	)
	group.SetLimit(atOnce)
	for i, j := range jobs {
		group.Go(func() error {
			e := j.run(ctx)
			mutex.Lock()
			defer mutex.Unlock()
			all[i] = e
			if e.begun {
				tell(e)
			}
			return nil // what one job comes to does not end the others
		})
	}
	_ = group.Wait() // no job gives it an error
	return all
}

func (j job) run(ctx context.Context) ended {
	if err := context.Cause(ctx); err != nil {
		return ended{name: j.name, err: err}
	}
	began := time.Now()
	err := j.do(ctx)
	return ended{name: j.name, err: err, took: time.Since(began), begun: true}
}
