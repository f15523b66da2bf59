package main

import (
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/preflight"
)

// injectedCase is what is put into a clean store of a release, and what a preflight finds from there to a
// later one, hop by hop. What is put and not named is near to what is found, and harmless.
type injectedCase struct {
	releases string
	rollback bool // the newer release has stored them
	flags    string
	put      []injection
	want     []string // FIRST RELEASE: CLASS DIRECTION KIND NAME PATH
	already  []string // what is broken for the first release: CLASS KIND NAME
	deleted  []string // by the first server that starts: KIND NAME
}

// claim is a ResourceClaim in a version.
func claim(version, name string) injection {
	spec := `{"name":"a","deviceClassName":"x","allocationMode":"ExactCount","count":1}`
	return injection{"resourceclaims/space-01/" + name, header("resource.k8s.io/"+version, "ResourceClaim", "space-01", name) + `"spec":{"devices":{"requests":[` + spec + `]}},"status":{}}`}
}

// flowSchema is a FlowSchema in a version.
func flowSchema(version, name string) injection {
	return injection{"flowschemas/" + name, header("flowcontrol.apiserver.k8s.io/"+version, "FlowSchema", "", name) + `"spec":{"priorityLevelConfiguration":{"name":"global-default"},"matchingPrecedence":9000,"distinguisherMethod":{"type":"ByUser"}},"status":{}}`}
}

// webhook is a configuration with one webhook that nobody answers.
func webhook(name, policy, rule string) injection {
	return injection{"validatingwebhookconfigurations/" + name, header("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", name) +
		fmt.Sprintf(`"webhooks":[{"name":"all.example.com","admissionReviewVersions":["v1"],"sideEffects":"None","failurePolicy":%q,"matchPolicy":"Equivalent","clientConfig":{"url":"https://127.0.0.1:1/"},"rules":[%s]}]}`, policy, rule)}
}

// named are the injections of other tests with these keys.
func named(t *testing.T, listener string, keys ...string) (all []injection) {
	for _, i := range everyInjection(listener) {
		for _, key := range keys {
			if i.key == key {
				all = append(all, i)
			}
		}
	}
	require.Len(t, all, len(keys))
	return all
}

// doomed marks an object as one that is being deleted, with a finalizer.
func doomed(object, finalizer string) string {
	return strings.Replace(object, `"annotations"`, fmt.Sprintf(`"deletionTimestamp":"2026-01-02T00:00:00Z","deletionGracePeriodSeconds":0,"finalizers":[%q],"annotations"`, finalizer), 1)
}

// injectedCases are the cases by their names.
func injectedCases(t *testing.T, listener string) map[string]injectedCase {
	const starting = `{"apiGroups":["apiregistration.k8s.io"],"apiVersions":["*"],"resources":["*"],"operations":["*"],"scope":"*"}`
	const other = `{"apiGroups":["example.com"],"apiVersions":["*"],"resources":["*"],"operations":["*"],"scope":"*"}`
	plainDefinition := definition("plains", "Plain", "plain.example.com", `{"strategy":"None"}`, "")
	return map[string]injectedCase{
		// 1.34 no longer decodes v1alpha3, which 1.31 stored: one hop away from 1.33, and two from 1.32.
		"DRA": {
			releases: "kube-apiserver@v1.32.13..v1.34.4", flags: "--feature-gates=DynamicResourceAllocation=true\n--runtime-config=resource.k8s.io/v1beta1=true\n",
			put:  []injection{claim("v1alpha3", "old"), claim("v1beta1", "near")},
			want: []string{"v1.33.13: undecodable up ResourceClaim old"},
		},
		"versions": {
			releases: "kube-apiserver@v1.34.4..v1.35.4", flags: "--runtime-config=storagemigration.k8s.io/v1alpha1=true\n--feature-gates=StorageVersionMigrator=true\n",
			put: append(named(t, listener, "storageversionmigrations/old", "cronjobs/space-01/statusless", "cronjobs/space-01/with-status"),
				webhook("closed", "Fail", starting), webhook("open", "Ignore", starting), webhook("elsewhere", "Fail", other)),
			want: []string{
				"v1.34.4: not-ready up   --runtime-config=storagemigration.k8s.io/v1alpha1", "v1.34.4: undecodable up StorageVersionMigration old",
				"v1.34.4: indeterminate up ValidatingWebhookConfiguration closed .webhooks[]",
			},
		},
		"old releases": {
			releases: "kube-apiserver@v1.31.0..v1.32.13",
			put: append(named(t, listener, "apiextensions.k8s.io/customresourcedefinitions/widgets.bad.k8s.io", "bad.k8s.io/widgets/space-01/a", "cronjobs/space-01/statusless", "cronjobs/space-01/with-status", "pods/space-01/zeros"),
				flowSchema("v1beta2", "older"), flowSchema("v1beta3", "old"), flowSchema("v1", "now")),
			already: []string{"frozen CronJob statusless .spec.jobTemplate.spec.podFailurePolicy.rules[].onPodConditions[].status", "undecodable Widget a"},
			deleted: []string{"APIService v1beta3.flowcontrol.apiserver.k8s.io"}, // 1.32 does not serve it, and still reads it
		},
		// No server is ready without its FlowSchemas.
		"FlowSchema": {
			releases: "kube-apiserver@v1.35.4..v1.36.3", put: []injection{flowSchema("v1alpha1", "oldest"), flowSchema("v1beta3", "old")},
			already: []string{"not-ready", "undecodable FlowSchema oldest"},
		},
		"service range": {
			releases: "kube-apiserver@v1.33.13..v1.34.4", flags: "--service-cluster-ip-range=10.97.0.0/16\n",
			put: []injection{
				{"servicecidrs/kubernetes", header("networking.k8s.io/v1beta1", "ServiceCIDR", "", "kubernetes") + `"spec":{"cidrs":["10.96.0.0/16"]},"status":{}}`},
				{"servicecidrs/more", header("networking.k8s.io/v1beta1", "ServiceCIDR", "", "more") + `"spec":{"cidrs":["10.98.0.0/16"]},"status":{}}`},
				{"servicecidrs/alpha", header("networking.k8s.io/v1alpha1", "ServiceCIDR", "", "alpha") + `"spec":{"cidrs":["10.99.0.0/16"]},"status":{}}`},
			},
			want:    []string{"v1.33.13: not-ready up", "v1.33.13: undecodable up ServiceCIDR alpha"},
			already: []string{"means-something-else ServiceCIDR kubernetes .spec.cidrs"},
		},
		// What the executable takes of flags, a server may end with: 1.36 and 1.37 do with two of these.
		"flags": {
			releases: "kube-apiserver@v1.36.3..v1.37.2", flags: "--service-node-port-range=40000-30000\n--event-ttl=2h\n--storage-media-type=application/foo\n",
			already: []string{"not-ready   --service-node-port-range", "not-ready   --storage-media-type"},
		},
		"definitions": {
			releases: "kube-apiserver@v1.36.3..v1.37.2",
			put: []injection{
				{"apiextensions.k8s.io/customresourcedefinitions/plains.plain.example.com", plainDefinition},
				{"plain.example.com/plains/space-01/stored", header("plain.example.com/v1", "Plain", "space-01", "stored") + `"spec":{"a":1}}`},
				{"plain.example.com/plains/space-01/served", header("plain.example.com/v1beta1", "Plain", "space-01", "served") + `"spec":{"a":1}}`},
				{"plain.example.com/plains/space-01/neither", header("plain.example.com/v1alpha1", "Plain", "space-01", "neither") + `"spec":{"a":1}}`},
				{"apiextensions.k8s.io/customresourcedefinitions/ends.ends.example.com", doomed(definition("ends", "End", "ends.example.com", `{"strategy":"None"}`, ""), "customresourcecleanup.apiextensions.k8s.io")},
				{"ends.example.com/ends/space-01/last", header("ends.example.com/v1", "End", "space-01", "last") + `"spec":{"a":1}}`},
				{"minions/node", header("v1", "Node", "", "node") + `"spec":{},"status":{}}`},
			},
			already: []string{"undecodable Plain neither"},
			deleted: []string{"CustomResourceDefinition ends.ends.example.com", "End last"},
		},
	}
}

// TestNightlyPreflightCases: each case has exactly the findings that are written down.
func TestNightlyPreflightCases(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	reserved, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	at := reserved.Addr().String()
	require.NoError(t, reserved.Close())
	all := injectedCases(t, at)
	maps.Copy(all, upwardCases())
	maps.Copy(all, backwardCases())
	for _, name := range tiers.Shard(t, slices.Sorted(maps.Keys(all))) {
		t.Run(name, func(t *testing.T) {
			c := all[name]
			available(t, c.releases)
			old, new, err := servers.ParsePair(c.releases)
			require.NoError(t, err)
			from, to := old, new
			if c.rollback {
				from, to = new, old
			}
			b, err := newApp().Builder().Build(t.Context(), from)
			require.NoError(t, err)
			values := map[string]string{}
			for _, i := range c.put {
				values["/registry/"+i.key] = i.value
			}
			file, _ := snapshotOf(t, b, 40, values)
			more := []string{"--from", strings.TrimPrefix(from.String(), "kube-apiserver@"), "--to", strings.TrimPrefix(to.String(), "kube-apiserver@")}
			if c.rollback {
				more = append(more, "--rollback")
			}
			if c.flags != "" {
				flags := filepath.Join(t.TempDir(), "flags")
				require.NoError(t, os.WriteFile(flags, []byte(c.flags), 0o600))
				more = append(more, "--server-flags", flags)
			}
			wantCase(t, c, playInjected(t, file, at, more...).Hops)
		})
	}
}

func wantCase(t *testing.T, c injectedCase, hops []preflight.Hop) {
	found, already, deleted := []string{}, []string{}, []string{}
	for i, h := range hops {
		for _, line := range foundNamed(h.Findings) {
			found = append(found, h.From.Version+": "+line)
		}
		if i > 0 {
			continue
		}
		for _, f := range h.Baseline {
			already = append(already, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", f.Outcome, f.Kind, f.Name, f.Path)))
		}
		for _, d := range h.Deleted {
			deleted = append(deleted, d.Kind+" "+d.Name)
		}
	}
	assert.ElementsMatch(t, c.want, found)
	assert.ElementsMatch(t, c.already, already)
	assert.ElementsMatch(t, c.deleted, deleted)
}
