package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
)

// storeFlags say where the store is that the servers share: in this process, or in an
// etcd that is there already. Those of its certificates are called as kube-apiserver's.
type storeFlags struct {
	etcd          []string
	at            string // "": in this process
	ca, cert, key string
	fsync, keep   bool
}

func (f *storeFlags) register(flags *pflag.FlagSet) {
	f.registerPlace(flags)
	flags.BoolVar(&f.fsync, "fsync", false, "have etcd write to disk before it answers, as in production; slower")
	flags.BoolVar(&f.keep, "keep-store", false, "keep etcd's data in the run directory; with --etcd, leave the run's keys there")
}

// registerPlace registers the flags that say where the store is.
func (f *storeFlags) registerPlace(flags *pflag.FlagSet) {
	flags.StringVar(&f.at, "store", "", "run the etcd that the servers share from a container `image`, image:NAME, on this machine's Docker engine (default: within skewsim)")
	flags.StringSliceVar(&f.etcd, "etcd", nil, "play on the etcd at these `URLs`, of a test cluster, below a random prefix that is removed afterwards (default: an etcd of the run's own)")
	flags.StringVar(&f.ca, "etcd-cafile", "", "of --etcd: the `file` with the authority of its certificate")
	flags.StringVar(&f.cert, "etcd-certfile", "", "of --etcd: the `file` with the client certificate to show it")
	flags.StringVar(&f.key, "etcd-keyfile", "", "of --etcd: the `file` with that certificate's key")
}

// storeNames are the names of the flags that registerPlace registers, as a command that
// plays something again has them.
func storeNames() []string {
	return []string{"store", "etcd", "etcd-cafile", "etcd-certfile", "etcd-keyfile"}
}

// elsewhere tells whether the store is in an etcd that is there already.
func (f storeFlags) elsewhere() bool { return len(f.etcd) > 0 }

// image is the name of the image that the shared etcd is run from; "": none.
func (f storeFlags) image() string { return strings.TrimPrefix(f.at, imagePrefix) }

// imagePrefix begins references to images.
const imagePrefix = string(servers.SchemeImage) + ":"

// remote is that etcd.
func (f storeFlags) remote() etcd.Remote {
	return etcd.Remote{Endpoints: f.etcd, CAFile: f.ca, CertFile: f.cert, KeyFile: f.key, Keep: f.keep}
}

// check tells what is wrong with the flags.
func (f storeFlags) check() error {
	ref, err := servers.ParseReference(f.at)
	switch {
	case f.at != "" && (err != nil || ref.Scheme != servers.SchemeImage):
		return fmt.Errorf("--store %q: want image:NAME, such as image:registry.k8s.io/etcd:3.6.5-0", f.at)
	case f.at != "" && f.elsewhere():
		return errors.New("--store runs an etcd, and --etcd names one that runs already: give one of them")
	case !f.elsewhere() && (f.ca != "" || f.cert != "" || f.key != ""):
		return errors.New("--etcd-cafile, --etcd-certfile and --etcd-keyfile are of --etcd: say with it where the etcd is, or leave them out")
	case f.elsewhere() && f.fsync:
		return errors.New("--fsync is of an etcd of the run's own, and the one that --etcd names decides for itself: leave one of them out")
	}
	return nil
}

// reachable asks an etcd that is there already whether it will do, or looks for the image
// of one, before anything is built for it.
func (a *app) reachable(ctx context.Context, f storeFlags) error {
	if f.at != "" {
		_, _, err := a.etcdImage(ctx, f.image())
		return err
	}
	if !f.elsewhere() {
		return nil
	}
	if err := etcd.Check(ctx, f.remote()); err != nil {
		return usage(fmt.Errorf("--etcd: %w", err))
	}
	return nil
}

// connect opens the shared store in an etcd that is there already.
func (s stores) connect(ctx context.Context, name, at string) (*etcd.Server, error) {
	c := s.flags.remote()
	c.Dir, c.LogPath = at, s.dir.file(filepath.Join("logs", "etcd-"+name+".log"))
	server, err := etcd.Connect(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, prefix := range server.Swept() {
		s.say("removed %s from the etcd: a run that was killed had left it there", prefix)
	}
	if err := server.Unswept(); err != nil {
		s.say("runs that were killed have left keys in the etcd which are there still: %v; the next run tries again", err)
	}
	if c.Keep {
		s.say("what the run stores stays in the etcd, under %s (--keep-store)", server.Prefix())
	}
	return server, nil
}
