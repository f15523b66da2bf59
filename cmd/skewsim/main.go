package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"google.golang.org/grpc/grpclog"

	"github.com/skewsim/skewsim/servers/frobber/cli"
	"github.com/skewsim/skewsim/sim/campaign"
)

func main() {
	if isReferenceServer() {
		os.Exit(cli.Main(os.Args[2:]))
	}
	// gRPC's logger is the process's own and writes to stderr; what etcd's
	// client has to say comes back as errors.
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, io.Discard))
	collectLess(1)
	a := newApp()
	ctx, stop := a.Interruptible(context.Background())
	code := execute(ctx, a, os.Args[1:])
	stop()
	os.Exit(code)
}

// collectLess trades memory for time: at Go's default pace a tenth of the simulator's work is collecting
// garbage. Up to the limit, which most runs stay below, the heap may be five times what is used; beyond it,
// half as much again: see withRoom. Several runs at once have the limit of each. Whoever sets GOGC or GOMEMLIMIT has decided
// otherwise.
func collectLess(runs int) {
	const percent, limit = 400, 450 << 20
	CollectWithin(percent, int64(runs)*limit)
}

// execute runs the command line and returns the exit code.
func execute(ctx context.Context, a *App, args []string) int {
	root := newRoot(a)
	root.SetArgs(args)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = a.Unwritten()
	}
	err = errors.Join(err, a.CloseBuilders(), a.profile.stop())
	if text := campaign.Message(err); text != "" {
		fmt.Fprintln(a.Err, text)
	}
	if a.AllowsImpacts() && FoundImpacts(err) {
		return ExitExpected
	}
	return ExitCode(err)
}
