package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"google.golang.org/grpc/grpclog"

	"github.com/skewsim/skewsim/sim/campaign"
)

func main() {
	// gRPC's logger is the process's own and writes to stderr; what etcd's
	// client has to say comes back as errors.
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, io.Discard))
	collectLess(1)
	a := newApp()
	ctx, stop := a.interruptible(context.Background())
	code := a.execute(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// newApp is what the process prints with.
func newApp() *app {
	// A reader that went away (| head) must not end the run in the middle, and
	// leave its keys behind.
	signal.Ignore(syscall.SIGPIPE)
	return &app{out: &output{File: os.Stdout}, err: os.Stderr}
}

// collectLess trades memory for time, as the servers' processes do: at the
// default pace a tenth of the simulator's work is collecting garbage. Near the
// limit, which ten thousand copies come to, the collector is as busy as need
// be. Several runs at once have the limit of each. Whoever sets GOGC or GOMEMLIMIT
// has decided otherwise.
func collectLess(runs int) {
	const percent, limit = 150, 1200 << 20
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(int64(runs) * limit)
	}
}

// execute runs the command line and returns the exit code.
func (a *app) execute(ctx context.Context, args []string) int {
	root := newRoot(a)
	root.SetArgs(args)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = a.unwritten()
	}
	err = errors.Join(err, a.closeBuilders())
	if text := campaign.Message(err); text != "" {
		fmt.Fprintln(a.err, text)
	}
	if a.allowsImpacts() && foundImpacts(err) {
		return exitExpected
	}
	return exitCode(err)
}
