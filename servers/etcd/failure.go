package etcd

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/process"
)

// FailedError reports a store that has ended, never started or does not answer, which is not an
// API server's fault.
type FailedError struct{ Err error }

// Error returns the text of the wrapped error.
func (e *FailedError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *FailedError) Unwrap() error { return e.Err }

// Fault reports that the store failed.
func (e *FailedError) Fault() fault.Fault {
	return fault.Fault{Kind: fault.Infrastructure, Failure: fault.StoreFailed}
}

// failed wraps the error of a store that has failed. If the error says which resource of the
// machine was short, the result carries that too.
func failed(err error) *FailedError {
	if short := process.Shortage(strings.Split(err.Error(), "\n")); short != fault.None {
		err = fault.Failed(short, err)
	}
	return &FailedError{err}
}

// failure is the end of the store, reported once.
type failure struct {
	done chan struct{}
	once sync.Once
	err  error // a *FailedError; written before done is closed, read after
}

func newFailure() *failure { return &failure{done: make(chan struct{})} }

// report records the end and its reason; nil means that the store was closed. Only the first
// report counts: later ones are its consequences.
func (f *failure) report(err error) {
	f.once.Do(func() {
		if err != nil {
			f.err = failed(err)
		}
		close(f.done)
	})
}

// Err returns nil until the end has been reported.
func (f *failure) Err() error {
	select {
	case <-f.done:
		return f.err
	default:
		return nil
	}
}

// openLog returns the logger that etcd uses instead of its own, which writes to standard error
// and, on a fatal entry, ends the process.
func openLog(path string, f *failure) (*zap.Logger, *os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("log: %w", err)
	}
	encoder := zap.NewProductionEncoderConfig()
	encoder.EncodeTime = zapcore.RFC3339NanoTimeEncoder
	sink := zapcore.Lock(file)
	core := &fatalCore{
		Core:    zapcore.NewCore(zapcore.NewJSONEncoder(encoder), sink, zap.InfoLevel),
		failure: f,
	}
	// ErrorOutput is where zap reports that the sink cannot be written, as on a full disk; its
	// default is standard error.
	return zap.New(core, zap.AddCaller(), zap.ErrorOutput(discard{}),
		zap.WithFatalHook(endGoroutine{}), zap.WithPanicHook(endGoroutine{})), file, nil
}

// fatalCore reports what is logged as fatal or as a panic. A hook would not do, because it gets
// the entry without its fields, of which "error" contains the reason.
type fatalCore struct {
	zapcore.Core
	failure *failure
}

func (c *fatalCore) With(fields []zapcore.Field) zapcore.Core {
	return &fatalCore{Core: c.Core.With(fields), failure: c.failure}
}

func (c *fatalCore) Check(e zapcore.Entry, ce *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(e.Level) {
		return ce.AddCore(e, c)
	}
	return ce
}

func (c *fatalCore) Write(e zapcore.Entry, fields []zapcore.Field) error {
	if e.Level >= zapcore.PanicLevel {
		c.failure.report(reason(e, fields))
	}
	return c.Core.Write(e, fields)
}

func reason(e zapcore.Entry, fields []zapcore.Field) error {
	for _, field := range fields {
		if err, ok := field.Interface.(error); ok && field.Type == zapcore.ErrorType {
			return fmt.Errorf("etcd ended: %s: %w", e.Message, err)
		}
	}
	return fmt.Errorf("etcd ended: %s", e.Message)
}

// endGoroutine ends the goroutine that logged a fatal entry, instead of the process.
type endGoroutine struct{}

func (endGoroutine) OnWrite(*zapcore.CheckedEntry, []zapcore.Field) { runtime.Goexit() }

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) Sync() error                 { return nil }
