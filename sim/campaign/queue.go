package campaign

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Job is an independent part of a campaign: a run, or several that share servers.
type Job struct {
	Cells Group
	// Do executes the cells and reports how each ended.
	Do func(ctx context.Context, report func(Ended))
}

// Queue executes the jobs in order, a number of them at once, and reports each cell as it
// ends, one at a time. After ctx is done it begins no other job. It returns the cells'
// outcomes in the order of the jobs.
func Queue(ctx context.Context, atOnce int, jobs []Job, report func(Ended)) []Ended {
	var (
		group errgroup.Group
		mutex sync.Mutex
		all   = make([][]Ended, len(jobs))
	)
	group.SetLimit(atOnce)
	for i, j := range jobs {
		all[i] = j.unbegun(context.Canceled)
		group.Go(func() error {
			if err := context.Cause(ctx); err != nil {
				all[i] = j.unbegun(err)
				return nil
			}
			j.Do(ctx, func(e Ended) {
				mutex.Lock()
				defer mutex.Unlock()
				e.Begun = true
				all[i][slices.Index(j.Cells, e.Cell)] = e
				report(e)
			})
			return nil // the outcome of one job does not end the others
		})
	}
	_ = group.Wait() // no job returns an error
	return slices.Concat(all...)
}

// unbegun returns the outcomes of a job whose turn never came.
func (j Job) unbegun(why error) []Ended {
	all := make([]Ended, len(j.Cells))
	for i, c := range j.Cells {
		all[i] = Ended{Cell: c}
		all[i].Err = why
	}
	return all
}
