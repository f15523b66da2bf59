package serverflags

import (
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// check returns what is wrong with the value of a flag, or "".
type check func(value string) string

// taken are the flags that are taken over with their value. One criterion decides: the flag
// changes what the server decodes, defaults, validates or stores.
var taken = map[string]check{
	"allow-privileged":                       isBool,   // validates Pods
	"default-not-ready-toleration-seconds":   isNumber, // defaults Pods
	"default-unreachable-toleration-seconds": isNumber,
	"enable-garbage-collector":               isBool, // defaults finalizers of deleted objects
	"enable-priority-and-fairness":           isBool, // the server stores its FlowSchemas
	"event-ttl":                              isDuration,
	"kubernetes-service-node-port":           isNumber, // defaults the Service kubernetes
	"service-cluster-ip-range":               areRanges,
	"service-node-port-range":                isPortRange,
	"storage-media-type":                     isMediaType, // the encoding of stored objects
}

// Flags that are taken over by elements.
const (
	featureGates     = "feature-gates"
	runtimeConfig    = "runtime-config"
	enablePlugins    = "enable-admission-plugins"
	disablePlugins   = "disable-admission-plugins"
	admissionConfig  = "admission-control-config-file"
	serviceRangeFlag = "service-cluster-ip-range"
	etcdPrefix       = "etcd-prefix"
)

// isShown reports whether the value of a flag is kept: it holds no secret.
func isShown(name string) bool {
	_, is := taken[name]
	return is || slices.Contains([]string{featureGates, runtimeConfig, enablePlugins, disablePlugins, admissionConfig, etcdPrefix}, name)
}

// reason is why flags are not taken over.
type reason struct {
	why    string
	forced bool // skewsim sets what the flags are about
	names  []string
	// prefixes cover all flags whose names begin so.
	prefixes []string
}

// reasons lists the flags that are not taken over.
var reasons = []reason{
	{why: "objects of these resources are in another etcd: a snapshot of one etcd does not contain them", forced: true, names: []string{"etcd-servers-overrides"}},
	{why: "skewsim sets it: the servers use a private etcd with the snapshot", forced: true,
		names: []string{"storage-backend", "storage-initialization-timeout", "lease-reuse-duration-seconds"}, prefixes: []string{"etcd-"}},
	{why: "skewsim sets it: it decides how the private copy is encrypted", forced: true, prefixes: []string{"encryption-provider-config"}},
	{why: "skewsim sets it: certificates and keys are made for the run", forced: true, names: []string{"cert-dir"},
		prefixes: []string{"tls-", "proxy-client-", "kubelet-", "peer-"}},
	{why: "skewsim sets it: only the run's own client may authenticate", forced: true,
		names:    []string{"anonymous-auth", "token-auth-file", "basic-auth-file", "client-ca-file", "enable-bootstrap-token-auth", "api-audiences"},
		prefixes: []string{"authentication-", "oidc-", "requestheader-", "service-account-"}},
	{why: "skewsim sets it: the run's own client may do everything", forced: true, prefixes: []string{"authorization-"}},
	{why: "skewsim sets it: servers of a run write no audit log", forced: true, prefixes: []string{"audit-"}},
	{why: "skewsim sets it: servers listen on a port of 127.0.0.1 that it selects", forced: true,
		names: []string{"advertise-address", "bind-address", "secure-port", "insecure-port", "insecure-bind-address", "external-hostname", "endpoint-reconciler-type",
			"apiserver-count", "permit-port-sharing", "permit-address-sharing", "debug-socket-path"}},
	{why: "skewsim plays each release as its own version; emulated versions are a separate question",
		names: []string{"emulated-version", "min-compatibility-version", "emulation-forward-compatible", "runtime-config-emulation-forward-compatible"}},
	{why: "the flag is deprecated and excludes --disable-admission-plugins, which skewsim needs; use --enable-admission-plugins",
		names: []string{"admission-control"}},
	{why: "it does not change what the server decodes, defaults, validates or stores",
		names: []string{
			"aggregator-reject-forwarding-redirect", "allow-metric-labels", "allow-metric-labels-manifest", "contention-profiling", "cors-allowed-origins",
			"delete-collection-workers", "disable-http2-serving", "disabled-metrics", "egress-selector-config-file", "enable-aggregator-routing",
			"enable-logs-handler", "goaway-chance", "help", "http2-max-streams-per-connection", "livez-grace-period", "logging-format",
			"max-connection-bytes-per-sec", "max-mutating-requests-inflight", "max-requests-inflight", "min-request-timeout", "profiling", "request-timeout",
			"show-hidden-metrics-for-version", "strict-transport-security-directives", "tracing-config-file", "v", "version", "vmodule", "watch-cache",
			"watch-cache-sizes",
		},
		prefixes: []string{"log-", "shutdown-"}},
	{why: "it only concerns Leases of leader elections, which are renewed every few seconds", prefixes: []string{"coordinated-leadership-"}},
}

// reasonOf returns why a flag is not taken over. known is false for a flag that the package
// does not know.
func reasonOf(name string) (r reason, known bool) {
	for _, r := range reasons {
		if slices.Contains(r.names, name) {
			return r, true
		}
	}
	for _, r := range reasons {
		if slices.ContainsFunc(r.prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			return r, true
		}
	}
	return reason{}, false
}

func isBool(value string) string {
	if _, err := strconv.ParseBool(value); err != nil {
		return "is neither true nor false"
	}
	return ""
}

func isNumber(value string) string {
	if n, err := strconv.ParseInt(value, 10, 64); err != nil || n < 0 {
		return "is not a number"
	}
	return ""
}

func isDuration(value string) string {
	return matches(value, `^([0-9.]+(ns|us|µs|ms|s|m|h))+$`, "a duration such as 1h0m0s")
}

func isPortRange(value string) string {
	return matches(value, `^\d+([-+]\d+)?$`, "a range of ports such as 30000-32767")
}

func isMediaType(value string) string {
	return matches(value, `^[\w.+-]+/[\w.+-]+$`, "a media type such as application/json")
}

func areRanges(value string) string {
	for one := range strings.SplitSeq(value, ",") {
		if _, _, err := net.ParseCIDR(strings.TrimSpace(one)); err != nil {
			return "is not a list of address ranges such as 10.96.0.0/12"
		}
	}
	return ""
}

func matches(value, pattern, want string) string {
	if regexp.MustCompile(pattern).MatchString(value) {
		return ""
	}
	return "is not " + want
}
