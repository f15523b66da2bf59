package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/app"
	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/shell"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/serverflags"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/session"
)

// preflightFlags are the flags of preflight.
type preflightFlags struct {
	sourceFlags
	to, serverFlags, failOn, dir, share string
	rollback                            bool
	timeout                             time.Duration
	command                             string
}

func newPreflight(a *app.App) *cobra.Command {
	f := preflightFlags{}
	c := &cobra.Command{
		Use:   "preflight [SOURCE...] --to RELEASE",
		Short: "Play your own objects through an upgrade and back, on a copy",
		Long: `preflight takes the objects of a cluster, starts real kube-apiservers of both releases on a
private copy of them, and says which objects a release cannot read, refuses to write, or
loses a value of: on the way up, and on the way back on the same etcd.

SOURCE is an etcd snapshot (etcdctl snapshot save, a copy of member/snap/db, or either with
gzip), which shows everything; or files and folders of manifests, which show what is
declared; or a file of --save. Without SOURCE, objects are read from the cluster of
--kubeconfig, with get and list alone.

Nothing is written to the source, and the servers of the copy call nobody: webhooks and
APIs of other servers are taken out first. Reports name objects, paths and what servers
say, and no value.

Exit codes: 0 no finding in a direction of --fail-on blocks it; 1 one does; 2 bad flags, or a
source that cannot be read; 3 it could not be played to its end.`,
		Example: `  skewsim preflight snapshot.db --from v1.36 --to v1.37
  skewsim preflight --kubeconfig ~/.kube/config --to v1.37
  skewsim preflight manifests/ --from v1.36 --to v1.37
  skewsim preflight snapshot.db --rollback --from v1.37 --to v1.36`,
		RunE: func(c *cobra.Command, args []string) error {
			f.sources = args
			f.command = strings.Join(append([]string{"skewsim preflight"}, shellWords(args, cliflags.Again(c.Flags(), []string{"from", "to", "rollback", "kubeconfig", "context", "secrets", "prefix"}, ""))...), " ")
			return runPreflight(c.Context(), a, f)
		},
	}
	flags := c.Flags()
	f.sourceFlags.add(flags)
	flags.StringVar(&f.to, "to", "", "the `release` to upgrade to: v1.37, v1.37.2 or any reference of a build; with --rollback the one to go back to")
	flags.BoolVar(&f.rollback, "rollback", false, "play only the way back: the objects come from the newer release, --from")
	flags.StringVar(&f.serverFlags, "server-flags", "", "`file` with the flags of your kube-apiserver: a static Pod's manifest, a list of flags, or a k3s configuration")
	flags.StringVar(&f.failOn, "fail-on", "any", "`direction` that decides the exit code: up, back or any")
	flags.StringVarP(&f.dir, "out", "o", "out/preflight", "output `directory`; replaces an earlier preflight")
	flags.StringVar(&f.share, "share", "", "write the reports once more into this `directory`, with fingerprints instead of names")
	flags.DurationVar(&f.timeout, "timeout", time.Hour, "time limit, without builds")
	return c
}

func shellWords(args, flags []string) (all []string) {
	for _, a := range args {
		all = append(all, shell.Quote(a))
	}
	return append(all, flags...)
}

// runPreflight runs the command, and returns the error that gives the exit code.
func runPreflight(ctx context.Context, a *app.App, f preflightFlags) error {
	if f.printRBAC {
		return f.printRules(ctx, a)
	}
	if f.failOn != "any" && f.failOn != string(preflight.Up) && f.failOn != string(preflight.Back) {
		return fault.ByUser(fault.Optionf("{fail-on} %q: name up, back or any", f.failOn))
	}
	if f.to == "" {
		return fault.ByUser(fault.Optionf("{to}: name the release to play, such as v1.37"))
	}
	from, closed, err := f.open(ctx, a)
	if err != nil {
		return err
	}
	defer closed()
	r, err := f.request(from)
	if err != nil {
		return err
	}
	const percent, limit = 80, 700 << 20
	collectWithin(percent, limit)
	result, err := session.Run(ctx, preflightHost(a), from.source, r)
	if len(result.Hops) > 0 {
		text := screen.TextOptions(a.Out, f.dir)
		if printed := reports.PreflightText(a.Out, result, reports.PreflightOptions{Color: text.Color, Width: text.Width, Dir: f.dir}); err == nil {
			err = printed
		}
	}
	if f.share != "" && len(result.Hops) > 0 {
		err = errors.Join(err, reports.SharePreflight(f.share, result))
	}
	if err == nil && f.fails(result) {
		return app.VerdictError{Verdict: term.Fail}
	}
	return err
}

// request returns what to play.
func (f preflightFlags) request(from openSource) (r session.Request, err error) {
	older, newer := from.release, f.to
	if f.rollback {
		older, newer = f.to, from.release
	}
	if from.release == "" {
		return r, fault.ByUser(fault.Optionf("{from}: nothing in the source says which release it comes from: name it, such as v1.36"))
	}
	if r.Releases, err = session.Releases(older, newer); err != nil {
		return r, err
	}
	if f.rollback && len(r.Releases) > 2 {
		return r, fault.ByUser(fault.Optionf("{rollback}: goes back by one minor release at a time: name the release before %s with {to}", from.release))
	}
	var options servers.Options
	if f.serverFlags != "" {
		read, err := serverflags.Read(f.serverFlags)
		if err != nil {
			return r, fault.ByUser(err)
		}
		options, _ = read.Take(nil)
	}
	r.Options = func(servers.Build) servers.Options { return options }
	r.Rollback, r.Dir, r.Timeout, r.Command = f.rollback, f.dir, f.timeout, f.command
	return r, nil
}

// fails reports whether a direction that decides the exit code is blocked.
func (f preflightFlags) fails(r preflight.Result) bool {
	for _, h := range r.Hops {
		if h.Up == preflight.Blocked && f.failOn != string(preflight.Back) || h.Back == preflight.Blocked && f.failOn != string(preflight.Up) {
			return true
		}
	}
	return false
}

// preflightHost is what a preflight of this app works with.
func preflightHost(a *app.App) session.Host {
	return session.Host{
		Tool: app.ToolVersion(), Build: a.Builder().Build, Facts: a.Builder().Facts, Out: a.Err,
		Runtime: func(secrets, logs string) (servers.Runtime, error) {
			a.Temporary(secrets)
			return a.NewRuntime(secrets, logs)
		},
		Temporary: a.Temporary,
		Opened:    func() { a.Opened.Store(true) },
		Report:    reports.WritePreflight,
	}
}

// printRules prints the ClusterRole that reading the cluster needs.
func (f preflightFlags) printRules(ctx context.Context, a *app.App) error {
	text, err := f.rules(ctx)
	if err == nil {
		_, err = fmt.Fprint(a.Out, text)
	}
	return err
}
