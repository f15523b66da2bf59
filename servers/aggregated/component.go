package aggregated

import (
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
)

// Component stands for all API servers that lean on a kube-apiserver.
func Component() apiserver.Component {
	return apiserver.Component{
		Name: "API server of a module", Aggregated: true, Refused: refused, Behaviour: apiserver.Behaviour(),
		Flags: func(servers.Build, *apiserver.Identity) []string { return nil },
	}
}

// refused says why a flag may not be among a release's options, nor in an adapter's
// file; "" if it may.
func refused(name string) string {
	if name == "kubeconfig" || strings.HasSuffix(name, "-kubeconfig") {
		return "skewsim sets it: each replica leans on a kube-apiserver of its own"
	}
	if strings.HasPrefix(name, "authentication-") || strings.HasPrefix(name, "authorization-") {
		return apiserver.ForAccess
	}
	return ""
}
