package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/mod/semver"

	"github.com/skewsim/skewsim/cmd/skewsim/cliflags"
	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/serverflags"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/play"
	"github.com/skewsim/skewsim/sim/rundir"
)

// options are the flags.
type options struct {
	sourceFlags
	to, admission, failOn, dir, share string
	webhooks                          []string
	rollback, fleet                   bool
	held                              play.Held
	timeout                           time.Duration
	command                           string
}

// newPreflight returns the command.
func newPreflight(a *App) *cobra.Command {
	f := options{}
	c := &cobra.Command{
		Use:   "preflight [SOURCE...] --to RELEASE",
		Short: "Play your own objects through an upgrade and back, on a copy",
		Long: `preflight takes the objects of a cluster, starts real kube-apiservers of both releases on a
private copy of them, and says which objects a release cannot read, refuses to write, or
loses a value of: on the way up, and on the way back on the same etcd.

SOURCE is an etcd snapshot (etcdctl snapshot save, a copy of member/snap/db, or either with
gzip or zip), which shows everything; or files and folders of manifests, which show what is
declared; or a file of --save. Without SOURCE, objects are read from the cluster of
--kubeconfig, with get and list alone.

Nothing is written to the source, and the servers of the copy call nobody: webhooks and
APIs of other servers are taken out first, but for the programs of --webhooks, which then see
your objects. Reports name objects, paths and what servers
say, and no value.

Exit codes: 0 no finding in a direction of --fail-on blocks it, or all that do are accepted or
in the baseline; 1 one does; 2 bad flags, or a source that cannot be read; 3 it could not be played to its end.`,
		Example: `  skewsim preflight snapshot.db --from v1.36 --to v1.37
  skewsim preflight --kubeconfig ~/.kube/config --to v1.37
  skewsim preflight manifests/ --from v1.36 --to v1.37
  skewsim preflight snapshot.db --from v1.36 --to v1.37 --webhooks auto:sigs.k8s.io/kueue@v0.15.0
  skewsim preflight snapshot.db --rollback --from v1.37 --to v1.36
  skewsim preflight --fleet out/eu-1 out/us-1 --fail-on up`,
		RunE: func(c *cobra.Command, args []string) error {
			f.sources = args
			if f.fleet && !c.Flags().Changed("out") {
				f.dir = fleetDir
			}
			f.command = cliflags.Repeat(c, args, "", "out", "save", "share")
			return runPreflight(c.Context(), a, f)
		},
	}
	f.add(c.Flags())
	return c
}

// add adds the flags to those of the command.
func (f *options) add(flags *pflag.FlagSet) {
	f.sourceFlags.add(flags)
	flags.StringVar(&f.to, "to", "", "the `release` to upgrade to: v1.37, v1.37.2 or any reference of a build; with --rollback the one to go back to")
	flags.BoolVar(&f.rollback, "rollback", false, "play only the way back: the objects come from the newer release, --from")
	flags.StringVar(&f.serverFlags, "server-flags", "", "`file` with the flags of your kube-apiserver: a static Pod's manifest, a list of flags, or a k3s configuration")
	flags.StringVar(&f.admission, "admission-config", "", "`file` that --admission-control-config-file of --server-flags names: the configuration of admission plug-ins")
	flags.StringArrayVar(&f.webhooks, "webhooks", nil, "program `file`, auto:MODULE@VERSION or auto:./FOLDER, of what converts custom resources in your cluster; once for each program (default: custom resources are read as they are stored)")
	flags.StringVar(&f.failOn, "fail-on", "any", "`direction` that decides the exit code: up, back or any")
	flags.StringVar(&f.held.Allow, "allow", "", "`file` with the findings that are accepted, each with its owner")
	flags.StringVar(&f.held.Baseline, "baseline", "", "preflight.json of an earlier preflight: mark the findings that it has too, and fail only because of new or worse ones")
	flags.BoolVar(&f.fleet, "fleet", false, "write one page about the finished preflights in the named directories, and play nothing")
	flags.StringVarP(&f.dir, "out", "o", "out/preflight", "output `directory`; replaces an earlier preflight")
	flags.StringVar(&f.share, "share", "", "write the reports once more into this `directory`, with fingerprints instead of names")
	flags.DurationVar(&f.timeout, "timeout", time.Hour, "time limit, without builds")
}

// runPreflight runs the command, and returns the error that gives the exit code.
func runPreflight(ctx context.Context, a *App, f options) error {
	if f.printRBAC {
		return f.printRules(ctx, a)
	}
	if err := f.check(); err != nil {
		return err
	}
	if f.fleet {
		return runFleet(a, f)
	}
	if f.to == "" {
		return fault.ByUser(fault.Optionf("{to}: name the release to play, such as v1.37"))
	}
	return f.play(ctx, a)
}

// check refuses flags that no preflight can have, and reads what its findings are held against.
func (f *options) check() error {
	if f.failOn != "any" && f.failOn != string(preflight.Up) && f.failOn != string(preflight.Back) {
		return fault.ByUser(fault.Optionf("{fail-on} %q: name up, back or any", f.failOn))
	}
	if !f.fleet {
		for flag, release := range map[string]string{"{from}": f.from, "{to}": f.to} {
			if _, err := play.Reference(release); err != nil && release != "" {
				return fault.ByUser(fault.Optionf(flag+" %s: %w: name a release, such as v1.36", release, err))
			}
		}
		if err := f.sourceFlags.check(); err != nil {
			return err
		}
	}
	if err := f.checkDirectories(); err != nil {
		return err
	}
	if err := f.readFlags(); err != nil {
		return err
	}
	return f.held.Read()
}

// play plays the objects of the source, and prints and shares what was found.
func (f options) play(ctx context.Context, a *App) error {
	from, closed, err := f.open(ctx, a)
	defer closed()
	if err != nil {
		return f.unread(ctx, err)
	}
	r, err := f.request(a, from)
	if err != nil {
		return err
	}
	if r.Programs, err = programsOf(ctx, a, f.webhooks); err != nil {
		return err
	}
	// What servers read when they start passes through the etcd in this process. The limit leaves room for
	// the pages of the stores' files, which are mapped into memory and count as this process's.
	const percent, limit = 50, 450 << 20
	CollectWithin(percent, limit)
	result, err := play.Run(ctx, host(a), from.source, r)
	if result.Said() {
		text := screen.TextOptions(a.Out, f.dir)
		if printed := reports.PreflightText(a.Out, result, reports.PreflightOptions{Terminal: text.TerminalOptions, Dir: f.dir}); err == nil {
			err = printed
		}
	}
	if f.share != "" && result.Said() {
		err = errors.Join(err, reports.SharePreflight(f.share, result))
	}
	return f.errorOf(result, err)
}

// errorOf returns the error that gives the exit code of a preflight, which an error may have ended: what was found until then counts.
func (f options) errorOf(r preflight.Result, ended error) error {
	word := f.verdict(r)
	switch {
	case ended == nil:
		return ErrorOf(word)
	case word == term.Fail && !fault.Is(ended, fault.User):
		return VerdictError{word, ended}
	}
	return ended
}

// unread marks the error of a cluster that cannot be reached as the user's, as is that of any source that cannot
// be read.
func (f options) unread(ctx context.Context, err error) error {
	if refused := (*net.OpError)(nil); len(f.sources) == 0 && ctx.Err() == nil && errors.As(err, &refused) {
		return fault.ByUser(fault.Optionf("%w: {kubeconfig} and {context} name the cluster", err))
	}
	return err
}

// checkDirectories refuses directories that cannot hold reports, before anything is read.
func (f options) checkDirectories() error {
	if !f.fleet { // the page of a fleet is put beside what is there
		if err := rundir.Check(f.dir); err != nil {
			return err
		}
	}
	if f.share == "" {
		return nil
	}
	if filepath.Clean(f.share) == filepath.Clean(f.dir) {
		return fault.ByUser(fault.Optionf("{share} %q: is the directory of {out}, whose reports it would replace; name another one", f.share))
	}
	return checkShare(f.share)
}

// checkShare refuses a directory that holds anything but the reports of an earlier preflight, and makes one that
// does not exist.
func checkShare(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return fault.ByUser(fault.Optionf("{share} %q: %w: name a directory that you can write to", dir, err))
	}
	for _, e := range entries {
		if !slices.ContainsFunc(reports.PreflightFiles(), func(f reports.PreflightFile) bool { return f.Name == e.Name() }) {
			return fault.ByUser(fault.Optionf("{share} %q: the directory holds %q, which is no report: name a new or an empty directory", dir, e.Name()))
		}
	}
	return nil
}

// request returns what to play.
func (f options) request(a *App, from openSource) (r play.Request, err error) {
	older, newer := from.release, f.to
	if f.rollback {
		older, newer = f.to, from.release
	}
	if from.release == "" {
		return r, fault.ByUser(fault.Optionf("{from}: nothing in the source says which release it comes from: name it, such as v1.36"))
	}
	if f.rollback && !isBack(from.release, f.to) {
		return r, fault.ByUser(fault.Optionf("{rollback}: goes back from the release that runs now, {from} %s, to an earlier minor release, which {to} %s is not; for an upgrade, leave {rollback} out", from.release, f.to))
	}
	if r.Releases, err = play.Releases(older, newer); err != nil {
		return r, err
	}
	if f.rollback && len(r.Releases) > 2 {
		return r, fault.ByUser(fault.Optionf("{rollback}: goes back by one minor release at a time: name the release before %s with {to}", from.release))
	}
	if err := f.takeFlags(a, &r); err != nil {
		return r, err
	}
	r.Rollback, r.Dir, r.Timeout, r.Command = f.rollback, f.dir, f.timeout, f.command
	r.Held = f.held
	return r, nil
}

// programsOf returns the programs that convert, of which no two convert one kind.
func programsOf(ctx context.Context, a *App, names []string) (all []play.Program, err error) {
	for _, name := range names {
		p, kinds, err := a.Builder().StandIn(ctx, name)
		if err != nil {
			return nil, err
		}
		for i, earlier := range all {
			if overlap(earlier.Kinds, kinds) {
				return nil, fault.ByUser(fault.Optionf("{webhooks} %s: converts a kind that %s converts too: name the kinds of each in its file", name, names[i]))
			}
		}
		all = append(all, play.Program{Program: *p, Name: name, Kinds: kinds})
	}
	return all, nil
}

// overlap reports whether two lists may name one kind. A kind without its group may be that of any group.
func overlap(a, b []string) bool {
	same := func(x, y string) bool {
		kind, group, _ := strings.Cut(x, ".")
		other, otherGroup, _ := strings.Cut(y, ".")
		return kind == other && (group == otherGroup || group == "" || otherGroup == "")
	}
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool { return same(x, y) })
	})
}

// isBack reports whether one release may be older than another: of builds that are no version, nothing says so.
func isBack(from, to string) bool {
	a, b := play.Minor(from), play.Minor(to)
	return a == "" || b == "" || semver.Compare(b, a) < 0
}

// admissionFlag is the flag that names the configuration of admission plug-ins.
const admissionFlag = "admission-control-config-file"

// readFlags reads the flags of the user's servers.
func (f *options) readFlags() (err error) {
	if f.serverFlags == "" {
		if f.admission != "" {
			return fault.ByUser(fault.Optionf("{admission-config} %s: is for servers whose flags name it: give their flags with {server-flags}", f.admission))
		}
		return nil
	}
	if f.servers, err = serverflags.Read(f.serverFlags); err != nil {
		return fault.ByUser(fault.Optionf("{server-flags}: %w: name the manifest of a kube-apiserver, a list of its flags or a k3s configuration", err))
	}
	if f.admission != "" && !slices.Contains(f.servers.Names(), admissionFlag) {
		return fault.ByUser(fault.Optionf("{admission-config} %s: no server reads it, for {server-flags} %s lacks --%s: add that flag, or leave the file out", f.admission, f.serverFlags, admissionFlag))
	}
	return nil
}

// takeFlags has servers started with the flags of the user's, and with the configuration of admission plug-ins.
func (f options) takeFlags(a *App, r *play.Request) (err error) {
	if f.serverFlags == "" {
		return nil
	}
	files, left := map[string]string{}, []serverflags.Flag(nil)
	if f.admission != "" {
		dir, err := rundir.Scratch("skewsim-admission-")
		if err != nil {
			return err
		}
		a.Temporary(dir)
		if files[admissionFlag], left, err = serverflags.CopyAdmission(f.admission, dir); err != nil {
			return fault.ByUser(err)
		}
	}
	r.Options, r.Account = f.servers.Take(files)
	r.Account.NotTaken = append(r.Account.NotTaken, left...)
	r.Refused = func(ctx context.Context, b servers.Build, versions map[string][]string) ([]serverflags.Refusal, error) {
		return serverflags.Refused(ctx, builder.Asker{Builder: a.Builder()}, b, serverflags.Known{Versions: versions}, f.servers)
	}
	return nil
}

// verdict returns whether findings fail a direction of --fail-on, or one was not played to its end.
func (f options) verdict(all ...preflight.Result) term.VerdictWord {
	word := term.Pass
	for _, r := range all {
		for _, d := range []preflight.Direction{preflight.Up, preflight.Back} {
			switch {
			case f.failOn != "any" && f.failOn != string(d):
			case len(r.Failing(d)) > 0:
				return term.Fail
			case r.Unplayed(d):
				word = term.Unknown
			}
		}
	}
	return word
}

// host is what a preflight of this app works with.
func host(a *App) play.Host {
	return play.Host{
		Tool: ToolVersion(), Build: a.Builder().Build, Facts: a.Builder().Facts, Out: a.Err,
		Runtime: func(secrets, logs, seed string) (servers.Runtime, error) {
			a.Temporary(secrets)
			return a.NewSeededRuntime(secrets, logs, seed)
		},
		Images:    a.Builder().Images(),
		Temporary: a.Temporary,
		Opened:    func() { a.Opened.Store(true) },
		Report:    reports.WritePreflight,
	}
}

// printRules prints the ClusterRole that reading the cluster needs.
func (f options) printRules(ctx context.Context, a *App) error {
	text, err := f.rules(ctx)
	if err == nil {
		_, err = fmt.Fprint(a.Out, text)
	}
	return err
}
