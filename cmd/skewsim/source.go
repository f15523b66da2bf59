package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"
	"golang.org/x/mod/semver"

	"github.com/skewsim/skewsim/servers/cluster"
	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/serverflags"
	"github.com/skewsim/skewsim/servers/snapshot"
	"github.com/skewsim/skewsim/sim/preflight/play"
	"github.com/skewsim/skewsim/sim/rundir"
)

// sourceFlags say where the objects come from.
type sourceFlags struct {
	sources                  []string
	from, prefix, encryption string
	cluster                  cluster.Options
	// servers are the flags of the user's kube-apiserver, of serverFlags.
	serverFlags string
	servers     serverflags.Flags
	save        string
	printRBAC   bool
}

func (f *sourceFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.from, "from", "", "the `release` that the objects come from: v1.36. Default: what the cluster or the snapshot says of itself")
	flags.StringVar(&f.prefix, "prefix", "", "the `prefix` of the keys in a snapshot (--etcd-prefix). Default: that of --server-flags, or /registry, or OpenShift's")
	flags.StringVar(&f.encryption, "encryption-config", "", "`file` of --encryption-provider-config, to read a snapshot that is encrypted")
	flags.StringVar(&f.cluster.Kubeconfig, "kubeconfig", "", "`file` that says how to reach the cluster. Default: as kubectl")
	flags.StringVar(&f.cluster.Context, "context", "", "`context` in the kubeconfig")
	flags.BoolVar(&f.cluster.Secrets, "secrets", false, "read the Secrets of the cluster too")
	flags.StringVar(&f.save, "save", "", "keep what was read from the cluster in this `file`, for another preflight without the cluster")
	flags.BoolVar(&f.printRBAC, "print-rbac", false, "print the ClusterRole that reading the cluster needs, and stop")
}

// check refuses a source that does not exist, and flags that are for another kind of source.
func (f sourceFlags) check() error {
	for _, at := range f.sources {
		if _, err := os.Stat(at); errors.Is(err, fs.ErrNotExist) && at != cluster.StandardInput {
			return fault.ByUser(fault.Optionf("%s: there is no such file or folder: name an etcd snapshot, manifests or a file of {save}", at))
		}
	}
	isSnapshot := len(f.sources) == 1 && f.looksStored() && !cluster.IsSaved(f.sources[0])
	switch {
	case len(f.sources) > 0 && (f.cluster.Kubeconfig+f.cluster.Context+f.save != "" || f.cluster.Secrets):
		return fault.ByUser(fault.Optionf("%s: {kubeconfig}, {context}, {secrets} and {save} are for the objects of a cluster: leave them out, or the SOURCE", f.sources[0]))
	case !isSnapshot && f.prefix+f.encryption != "":
		return fault.ByUser(fault.Optionf("{prefix} and {encryption-config} are for an etcd snapshot: leave them out, or name one as the only SOURCE"))
	}
	return nil
}

// openSource is a source with the release that its objects come from.
type openSource struct {
	source  play.Source
	release string
}

// open opens the source. Closed removes what the process keeps of it, after an error included.
func (f sourceFlags) open(ctx context.Context, a *App) (openSource, func(), error) {
	nothing := func() {}
	switch {
	case len(f.sources) == 0:
		o, err := f.openCluster(ctx, a)
		return o, nothing, err
	case len(f.sources) == 1 && cluster.IsSaved(f.sources[0]):
		s, err := cluster.OpenSaved(f.sources[0])
		if err != nil {
			return openSource{}, nothing, err
		}
		o, err := f.asObjects(a, s, s.Coverage().ServerVersion)
		return o, nothing, err
	case len(f.sources) == 1 && f.looksStored():
		return f.openSnapshot(ctx, a)
	}
	o, err := f.openManifests(ctx)
	return o, nothing, err
}

// openManifests reads manifests: what is wrong with them is said before anything is built or started.
func (f sourceFlags) openManifests(ctx context.Context) (o openSource, err error) {
	if o.release = f.from; f.from == "" {
		return o, unstated()
	}
	m := play.Manifests{Release: f.from, Stated: byFlag}
	m.Coverage, err = cluster.Manifests{Paths: f.sources, Stdin: os.Stdin}.Each(ctx, func(object cluster.Object) error {
		m.All = append(m.All, object)
		return nil
	})
	o.source = m
	return o, err
}

// byFlag is who states a release that is given.
const byFlag = "the flag --from"

// unstated is the error about a source that does not say which release it comes from.
func unstated() error {
	return fault.ByUser(fault.Optionf("{from}: name the release that the objects are of, such as v1.36"))
}

// looksStored reports whether the source is a snapshot and no manifest.
func (f sourceFlags) looksStored() bool {
	at := f.sources[0]
	if info, err := os.Stat(at); at == cluster.StandardInput || err == nil && info.IsDir() {
		return false
	}
	switch filepath.Ext(at) {
	case ".yaml", ".yml", ".json":
		return false
	}
	return true
}

func (f sourceFlags) openCluster(ctx context.Context, a *App) (openSource, error) {
	c, err := cluster.Connect(ctx, f.cluster)
	if err != nil {
		return openSource{}, err
	}
	var from cluster.Source = c
	if f.save != "" {
		if _, err := cluster.Save(ctx, f.save, c, nil); err != nil {
			return openSource{}, err
		}
		if from, err = cluster.OpenSaved(f.save); err != nil {
			return openSource{}, err
		}
	}
	return f.asObjects(a, from, c.Version())
}

// asObjects is a source of objects that says which release served them; "" if it does not.
func (f sourceFlags) asObjects(a *App, from cluster.Source, said string) (openSource, error) {
	release, stated := f.from, byFlag
	if release == "" && said != "" {
		release, stated = play.Minor(said), "the cluster, which reports "+said
	}
	if release == "" {
		return openSource{}, unstated()
	}
	stubs := func(ctx context.Context) (examples.Stubs, error) { return storageKeys(ctx, a, release) }
	return openSource{play.Objects{Source: from, Stubs: stubs, Release: release, Stated: stated}, release}, nil
}

// storageKeys returns where a release stores what, as its source says; nil without a source.
func storageKeys(ctx context.Context, a *App, release string) (examples.Stubs, error) {
	ref, err := play.Reference(release)
	if err != nil {
		return nil, err
	}
	b, err := a.Builder().Build(ctx, ref)
	if err != nil {
		return nil, err
	}
	all, err := a.Builder().Examples(ctx, b, "skewsim-preflight")
	return all.Stubs, err
}

// copies is how often the content of a snapshot is on the disk at a time, with what servers write into
// the copies.
const copies = 7

// openSnapshot opens a copy of a snapshot. Closed removes it, after an error included.
func (f sourceFlags) openSnapshot(ctx context.Context, a *App) (o openSource, closed func(), err error) {
	closed = func() {}
	var keys *snapshot.Keys
	if f.encryption != "" {
		if keys, err = snapshot.LoadKeys(f.encryption); err != nil {
			return o, closed, err
		}
	}
	scratch, err := rundir.Scratch("skewsim-snapshot-")
	if err != nil {
		return o, closed, err
	}
	a.Temporary(scratch)
	remove := func() { _ = os.RemoveAll(scratch) } // a further try at the end of the process
	s, err := snapshot.OpenTimes(ctx, f.sources[0], scratch, copies)
	if err != nil {
		return o, remove, err
	}
	o, err = f.asSnapshot(ctx, s, keys)
	return o, func() { _ = s.Close(); remove() }, err
}

// asSnapshot is a snapshot with the release that its objects come from.
func (f sourceFlags) asSnapshot(ctx context.Context, s *snapshot.Snapshot, keys *snapshot.Keys) (openSource, error) {
	if err := f.choose(s); err != nil {
		return openSource{}, err
	}
	guess, err := s.Guess(ctx, plainWith(keys))
	if err != nil {
		return openSource{}, err
	}
	release, stated, err := f.stated(guess)
	if err != nil {
		return openSource{}, err
	}
	return openSource{play.Snapshot{Snapshot: s, Keys: keys, Release: release, Stated: stated}, release}, nil
}

// choose selects the prefix of a snapshot's keys: the one that the user names, or that the flags of the user's servers
// name. OpenShift has two, of which these name one.
func (f sourceFlags) choose(s *snapshot.Snapshot) error {
	err, of := s.Select(f.prefix), f.servers.EtcdPrefix()
	if f.prefix != "" || of == "" {
		return err
	}
	found := s.Prefixes()
	if err := s.Select(of); err != nil {
		return fault.ByUser(fault.Optionf("--etcd-prefix in {server-flags} %s: %w", f.serverFlags, err))
	}
	if slices.Contains(found, s.Prefixes()[0]) {
		return s.Select("")
	}
	return nil
}

// stated returns the release that a snapshot's objects come from, and who says so. A control plane is never
// older than its kubelets, and than what kubeadm made it.
func (f sourceFlags) stated(guess snapshot.Guess) (release, by string, err error) {
	if f.from == "" {
		return play.Minor(guess.Release), guess.Source, nil
	}
	given, err := play.Reference(f.from)
	if err != nil {
		return "", "", err
	}
	if found := play.Minor(guess.Release); found != "" && semver.Compare(found, play.Minor(given.Version)) > 0 && play.Minor(given.Version) != "" {
		return "", "", fault.ByUser(fault.Optionf("{from} %s: the objects of the snapshot come from %s (%s): name that release with {from}; to go back from it, add {rollback}", f.from, found, guess.Source))
	}
	return f.from, byFlag, nil
}

// plainWith reads values with keys.
func plainWith(keys *snapshot.Keys) snapshot.Plain {
	return func(ctx context.Context, key string, value []byte) ([]byte, bool) {
		plain, missing, err := keys.Decrypt(ctx, key, value)
		return plain, err == nil && missing == nil
	}
}

// rules returns the ClusterRole that reading the cluster needs; without a cluster that can be
// reached, one for every cluster.
func (f sourceFlags) rules(ctx context.Context) (string, error) {
	c, err := cluster.Connect(ctx, f.cluster)
	if err != nil {
		return cluster.StaticRules(f.cluster), nil
	}
	return c.Rules(ctx)
}
