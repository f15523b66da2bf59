package aggregated

import (
	"slices"
	"strings"
)

// libraryFlags are the flags that k8s.io/apiserver and k8s.io/component-base define. A flag
// that skewsim sets by one of these names means something else in a server that renames it.
const libraryFlags = `
admission-control-config-file advertise-address audit-log-batch-buffer-size audit-log-batch-max-size
audit-log-batch-max-wait audit-log-batch-throttle-burst audit-log-batch-throttle-enable
audit-log-batch-throttle-qps audit-log-compress audit-log-format audit-log-maxage audit-log-maxbackup
audit-log-maxsize audit-log-mode audit-log-path audit-log-truncate-enabled audit-log-truncate-max-batch-size
audit-log-truncate-max-event-size audit-log-version audit-policy-file audit-webhook-batch-buffer-size
audit-webhook-batch-initial-backoff audit-webhook-batch-max-size audit-webhook-batch-max-wait
audit-webhook-batch-throttle-burst audit-webhook-batch-throttle-enable audit-webhook-batch-throttle-qps
audit-webhook-config-file audit-webhook-initial-backoff audit-webhook-mode audit-webhook-truncate-enabled
audit-webhook-truncate-max-batch-size audit-webhook-truncate-max-event-size audit-webhook-version
authentication-kubeconfig authentication-skip-lookup authentication-token-webhook-cache-ttl
authentication-tolerate-lookup-failure authorization-always-allow-paths authorization-kubeconfig
authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl bind-address cert-dir
client-ca-file contention-profiling cors-allowed-origins debug-socket-path default-watch-cache-size
delete-collection-workers disable-admission-plugins disable-http2-serving egress-selector-config-file
emulated-version emulation-forward-compatible enable-admission-plugins enable-garbage-collector
enable-priority-and-fairness encryption-provider-config encryption-provider-config-automatic-reload
etcd-cafile etcd-certfile etcd-compaction-interval etcd-count-metric-poll-period etcd-db-metric-poll-interval
etcd-healthcheck-timeout etcd-keyfile etcd-prefix etcd-readycheck-timeout etcd-servers etcd-servers-overrides
external-hostname feature-gates goaway-chance help http2-max-streams-per-connection kubeconfig
lease-reuse-duration-seconds livez-grace-period log-flush-frequency max-mutating-requests-inflight
max-requests-inflight min-compatibility-version min-request-timeout permit-address-sharing permit-port-sharing
profiling request-timeout requestheader-allowed-names requestheader-client-ca-file
requestheader-extra-headers-prefix requestheader-group-headers requestheader-uid-headers
requestheader-username-headers runtime-config runtime-config-emulation-forward-compatible secure-port
shutdown-delay-duration shutdown-send-retry-after shutdown-watch-termination-grace-period storage-backend
storage-initialization-timeout storage-media-type strict-transport-security-directives tls-cert-file
tls-cipher-suites tls-curve-preferences tls-min-version tls-private-key-file tls-sni-cert-key
tracing-config-file v vmodule watch-cache watch-cache-sizes`

// ofLibrary reports whether a flag is one of the library's. Underscores count as dashes.
func ofLibrary(name string) bool {
	return slices.Contains(strings.Fields(libraryFlags), strings.ReplaceAll(name, "_", "-"))
}
