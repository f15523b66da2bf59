package crd

import "sync"

// failure is the first error of something that goes on running.
type failure struct {
	once     sync.Once
	err      error
	happened chan struct{} // closed when err is set
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
		return f.err
	default:
		return nil
	}
}
