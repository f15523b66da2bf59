package kubeapiserver

import (
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
)

// Component is kube-apiserver as a runtime starts it.
func Component() apiserver.Component {
	return apiserver.Component{Name: component, Flags: flags, Replaces: replaces, Refused: refused, TakesOver: allocation, Behaviour: behaviour(), Polled: polled()}
}

// polled returns the hook that makes the system's priority classes where they are missing, and changes none that is
// there. Its wait is a fifth of a start on two cores.
func polled() map[string][]string {
	const classes = "/apis/scheduling.k8s.io/v1/priorityclasses/"
	return map[string][]string{
		"poststarthook/scheduling/bootstrap-system-priority-classes": {classes + "system-node-critical", classes + "system-cluster-critical"},
	}
}

// behaviour returns the flags of kube-apiserver that change what the API does with objects,
// and that reach nothing else.
func behaviour() map[string]string {
	return apiserver.And(apiserver.Behaviour(), map[string]string{
		"enable-admission-plugins": "", "disable-admission-plugins": "", // those that are built in, by name
		"default-not-ready-toleration-seconds": "", "default-unreachable-toleration-seconds": "",
		"allow-privileged": "", "service-node-port-range": "", "event-ttl": "",
		"service-account-max-token-expiration": "", "service-account-extend-token-expiration": "",
		"enable-priority-and-fairness": "", "max-requests-inflight": "", "max-mutating-requests-inflight": "",
		"request-timeout": "", "min-request-timeout": "",
		"emulation-forward-compatible": "1.33", "runtime-config-emulation-forward-compatible": "1.33",
	})
}

// allocation is the gate with which a kube-apiserver keeps the addresses of Services as
// objects. The first server that has it on makes them of what others kept.
const allocation = "MultiCIDRServiceAllocator"

// flags are those that a kube-apiserver needs besides the flags of all servers.
func flags(_ servers.Build, id *apiserver.Identity) []string {
	return []string{
		// Without these two a machine with no default route cannot start one.
		"--advertise-address=127.0.0.1",
		"--endpoint-reconciler-type=none",
		"--service-cluster-ip-range=10.0.0.0/16,fd00:10:96::/112",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + id.ServiceAccountKey,
		"--service-account-signing-key-file=" + id.ServiceAccountKey,
		// Also switches anonymous requests off.
		"--authorization-mode=AlwaysAllow",
		// It would refuse pods until a controller has made the accounts.
		"--disable-admission-plugins=ServiceAccount",
	}
}

// replaces returns the flags that replace those of flags for a release's options.
func replaces(o servers.Options) []string {
	if o.ServiceIPRange == "" {
		return nil
	}
	return []string{"--service-cluster-ip-range=" + o.ServiceIPRange}
}

const forVia = "it would let one release answer for another"

// refused says why a flag may not be among a release's options; "" if it may.
func refused(name string) string {
	switch name {
	case "advertise-address", "endpoint-reconciler-type", "service-cluster-ip-range", "insecure-port", "insecure-bind-address":
		return apiserver.ForNetwork
	case "service-account-issuer", "service-account-key-file", "service-account-signing-key-file",
		"service-account-signing-endpoint":
		return apiserver.ForIdentity
	case "authorization-policy-file", "enable-bootstrap-token-auth":
		return apiserver.ForAccess
	case "peer-ca-file", "peer-advertise-ip", "peer-advertise-port":
		return forVia
	}
	return ""
}
