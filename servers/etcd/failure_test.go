package etcd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/skewsim/skewsim/servers/fault"
)

// TestFatalEntriesAreReported: an error for which etcd would end the process ends only its
// goroutine, after the goroutine's deferred calls, and is reported once.
func TestFatalEntriesAreReported(t *testing.T) {
	for _, c := range []struct {
		name, want string
		log        func(*zap.Logger)
	}{
		{"fatal", "etcd ended: commit: no space left on device", func(l *zap.Logger) { l.Fatal("commit", zap.Error(errors.New("no space left on device"))) }},
		{"panic", "etcd ended: save: torn", func(l *zap.Logger) { l.Panic("save", zap.Int("n", 1), zap.Error(errors.New("torn"))) }},
		{"without a reason", "etcd ended: lost", func(l *zap.Logger) { l.Fatal("lost") }},
		{"named, with fields", "etcd ended: lost: gone", func(l *zap.Logger) {
			l.Named("raft").With(zap.String("a", "b")).Fatal("lost", zap.Error(errors.New("gone")))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			f := newFailure()
			logger, file, err := openLog(path, f)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			logger.Error("only an error", zap.Error(errors.New("harmless")))
			if err := f.Err(); err != nil {
				t.Fatalf("an error entry was reported: %v", err)
			}
			ended := make(chan bool, 1)
			go func() {
				survived := false
				defer func() { ended <- survived || recover() != nil }()
				c.log(logger)
				survived = true
			}()
			if <-ended {
				t.Error("the goroutine went on, or panicked")
			}
			<-f.done
			if got := f.Err(); got == nil || got.Error() != c.want {
				t.Errorf("reported %v, want %s", got, c.want)
			}
			f.report(errors.New("a consequence"))
			if got := f.Err(); got.Error() != c.want {
				t.Errorf("then reported %v", got)
			}
			if text, err := os.ReadFile(path); err != nil || strings.Count(string(text), "\n") != 2 {
				t.Errorf("log: %s %v", text, err)
			}
		})
	}
}

// TestStoreThatFails: a store whose goroutine ended reports it, its watches break, and it
// closes in time.
func TestStoreThatFails(t *testing.T) {
	s, err := Start(t.Context(), Config{Dir: filepath.Join(t.TempDir(), "etcd")})
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Watch(t.Context(), 1, func(Event) {})
	if err != nil {
		t.Fatal(err)
	}
	go s.logger.Fatal("commit", zap.Error(errors.New("no space left on device")))
	const want = "etcd ended: commit: no space left on device"
	select {
	case <-s.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("not told")
	}
	if err := s.Err(); err == nil || err.Error() != want {
		t.Errorf("Err said %v", err)
	}
	<-w.Done()
	if err := w.Err(); err == nil || err.Error() != "store: watch: the store has ended: "+want {
		t.Errorf("the watch said %v", err)
	}
	if _, err := s.Watch(t.Context(), 1, func(Event) {}); err == nil || err.Error() != "store: watch: the store has ended: "+want {
		t.Errorf("a new watch said %v", err)
	}
	for range 2 {
		if err := s.Close(); err == nil || err.Error() != want {
			t.Errorf("Close said %v", err)
		}
	}
}

// TestFailed: a failed store is fault.StoreFailed, or the resource that its error says was
// short.
func TestFailed(t *testing.T) {
	for text, want := range map[string]fault.Failure{
		"etcd ended: cannot commit tx: write db: no space left on device":                                fault.DiskFull,
		"exited with status 1 before it was up; its last lines:\n  some\n  mmap: cannot allocate memory": fault.MemoryShort,
		"etcd ended: failed to sync WAL":                                                                 fault.StoreFailed,
		"stopped serving by itself":                                                                      fault.StoreFailed,
		"etcd was killed by signal 9 (killed) although nobody asked it to":                               fault.StoreFailed,
	} {
		err := fmt.Errorf("store: watch: %w", failed(errors.New(text)))
		if got := fault.Of(err).Failure; got != want || !fault.Has(err, fault.StoreFailed) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
