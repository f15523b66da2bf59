package skewtest

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"testing"
)

// interrupted is closed by the first SIGINT or SIGTERM that arrives while runs are in
// progress. Everything after it fails at once, so that one Ctrl-C ends go test.
var interrupted = make(chan struct{})

var interruptOnce sync.Once

// failIfInterrupted fails a test that begins after an interrupt.
func failIfInterrupted(t testing.TB) {
	t.Helper()
	if isInterrupted() {
		t.Fatal("skewtest: interrupted")
	}
}

func isInterrupted() bool {
	select {
	case <-interrupted:
		return true
	default:
		return false
	}
}

// untilInterrupt returns a context that ends with its parent, or with an interrupt of any
// test's runs.
func untilInterrupt(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	go func() {
		select {
		case <-interrupted:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// handleInterrupts makes the first SIGINT or SIGTERM interrupt all tests instead of ending the
// process. A second one ends the process, as it does without this package.
func handleInterrupts() (stop func()) {
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	var handler sync.WaitGroup
	handler.Go(func() {
		defer signal.Stop(signals)
		select {
		case <-signals:
			signal.Stop(signals) // before any test learns of it
			interruptOnce.Do(func() { close(interrupted) })
		case <-interrupted:
		case <-done:
		}
	})
	return sync.OnceFunc(func() {
		close(done)
		handler.Wait()
	})
}
