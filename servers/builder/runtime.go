package builder

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/aggregated"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
)

// NewRuntime makes a runtime that starts builds of every kind. It keeps keys in secrets,
// which it removes when it is closed, and logs in logs. Its servers read what others of the
// same seed encrypted; "": the keys are random.
func (b *Builder) NewRuntime(secrets, logs, seed string) (servers.Runtime, error) {
	below, err := newRuntime(b, secrets, logs, seed)
	if err != nil {
		return nil, err
	}
	return crd.NewRuntime(aggregated.NewRuntime(below, secrets), secrets, logs, b.Images()), nil
}

func newRuntime(b *Builder, secrets, logs, seed string) (*apiserver.Runtime, error) {
	return apiserver.New(apiserver.Config{
		Components: []apiserver.Component{kubeapiserver.Component(), frobberapiserver.Component(), aggregated.Component()},
		Dir:        secrets, LogDir: logs, Kept: ProbeDir(), Seed: seed, Images: imageHost{b.engine},
	})
}

// Asker asks executables of builds of every kind. It starts no server.
type Asker struct{ Builder *Builder }

// Refusals returns what the executable of a build says of flags that it refuses; see
// [apiserver.Runtime.Refusals].
func (a Asker) Refusals(ctx context.Context, build servers.Build, flags ...string) (says []string, err error) {
	dir, err := os.MkdirTemp("", "skewsim-refusals-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	r, err := newRuntime(a.Builder, filepath.Join(dir, "secrets"), filepath.Join(dir, "logs"), "")
	if err != nil {
		return nil, err
	}
	says, err = r.Refusals(ctx, build, flags...)
	return says, errors.Join(err, r.Close())
}
