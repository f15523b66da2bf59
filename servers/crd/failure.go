package crd

import (
	"sync"
	"sync/atomic"
)

// failure is the first error of something that goes on running.
type failure struct {
	once     sync.Once
	err      error
	happened chan struct{} // closed when err is set
	reported atomic.Bool
}

func newFailure() *failure { return &failure{happened: make(chan struct{})} }

// set notes the first error.
func (f *failure) set(err error) {
	f.once.Do(func() {
		f.err = err
		close(f.happened)
	})
}

// get returns the error; nil: none happened.
func (f *failure) get() error {
	select {
	case <-f.happened:
		f.reported.Store(true)
		return f.err
	default:
		return nil
	}
}

// unreported returns the error unless somebody got it.
func (f *failure) unreported() error {
	if f.reported.Load() {
		return nil
	}
	return f.get()
}
