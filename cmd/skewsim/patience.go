package main

import (
	"fmt"
	"time"
)

// The waits before the first line of work that takes long, and between further ones.
const (
	firstWord = 5 * time.Second
	nextWord  = 15 * time.Second
)

// Patience says what is being done as long as it takes, first after some seconds. The caller calls finished
// when it is done.
func (a *App) Patience(what string) (finished func()) {
	began, done, over := time.Now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for wait := firstWord; ; wait = nextWord {
			select {
			case <-done:
				return
			case <-time.After(wait):
				fmt.Fprintf(a.Err, "skewsim: %s (%s)\n", what, time.Since(began).Round(time.Second))
			}
		}
	}()
	return func() { close(done); <-over }
}
