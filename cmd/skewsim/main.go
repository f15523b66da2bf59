package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"google.golang.org/grpc/grpclog"
)

func main() {
	// gRPC's logger is the process's own and writes to stderr; what etcd's
	// client has to say comes back as errors.
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, io.Discard))
	ctx, stop := interruptible(context.Background(), os.Stderr)
	code := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// execute runs the command line and returns the exit code.
func execute(ctx context.Context, args []string, out, errOut io.Writer) int {
	root := newRoot(&app{out: out, err: errOut})
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if err != nil && err.Error() != "" {
		fmt.Fprintf(errOut, "skewsim: %v\n", err)
	}
	return exitCode(err)
}

// interruptible ends the context at the first Ctrl-C (or SIGTERM, or SIGHUP),
// so that a run stops its servers and keeps what it has seen. The second ends
// the process at once; its servers die with it.
func interruptible(parent context.Context, notice io.Writer) (context.Context, func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		if _, ok := <-signals; !ok {
			return
		}
		fmt.Fprintln(notice, "\nskewsim: interrupted: stopping the servers and keeping what was seen; once more ends at once")
		cancel()
		if _, ok := <-signals; ok {
			os.Exit(exitUnjudged)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel()
	}
}
