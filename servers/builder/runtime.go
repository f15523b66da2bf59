package builder

import (
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
	below, err := apiserver.New(apiserver.Config{
		Components: []apiserver.Component{kubeapiserver.Component(), frobberapiserver.Component(), aggregated.Component()},
		Dir:        secrets, LogDir: logs, Kept: ProbeDir(), Seed: seed, Images: imageHost{b.engine},
	})
	if err != nil {
		return nil, err
	}
	return crd.NewRuntime(aggregated.NewRuntime(below, secrets), secrets), nil
}
