package aggregated

import (
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
)

// Component returns the component of all API servers that run behind a kube-apiserver.
func Component() apiserver.Component {
	return apiserver.Component{
		Name: "API server of a module", Aggregated: true, Refused: refused, Behaviour: apiserver.Behaviour(),
		Flags: func(servers.Build, *apiserver.Identity) []string { return nil },
	}
}

// refused returns why neither a release's options nor an adapter file may set a flag, or "" if
// they may.
func refused(name string) string {
	if name == "kubeconfig" || strings.HasSuffix(name, "-kubeconfig") {
		return "skewsim sets it: each replica has its own kube-apiserver"
	}
	if strings.HasPrefix(name, "authentication-") || strings.HasPrefix(name, "authorization-") {
		return apiserver.ForAccess
	}
	return ""
}
