package main

import (
	"encoding/base64"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/snapshot"
	"github.com/skewsim/skewsim/sim/preflight"
)

// injection is a value that is put into a clean store under its key.
type injection struct {
	key   string
	value string // JSON, which servers decode as they decode protobuf, or no object at all
}

// header is the beginning of an injected object.
func header(apiVersion, kind, namespace, name string) string {
	in := ""
	if namespace != "" {
		in = fmt.Sprintf(`,"namespace":%q`, namespace)
	}
	return fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{"name":%q%s,"uid":"11111111-2222-3333-4444-%012x","creationTimestamp":"2026-01-01T00:00:00Z","annotations":{"example.com/note":%q}},`,
		apiVersion, kind, name, in, len(name), secret)
}

// everyInjection are the injections of all pairs.
func everyInjection(listener string) []injection {
	return slices.Concat(kindsInjected(), customInjected(listener), oddInjected(), admissionInjected(listener))
}

// kindsInjected are objects of Kubernetes' own kinds, in versions that are gone or with contents that
// releases judge differently.
func kindsInjected() []injection {
	const pod = `{"containers":[{"name":"c","image":"i","terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always","resources":{}}],"restartPolicy":"Never","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"`
	return []injection{
		{
			key:   "storageversionmigrations/old",
			value: header("storagemigration.k8s.io/v1alpha1", "StorageVersionMigration", "", "old") + `"spec":{"resource":{"version":"v1","resource":"secrets"}}}`,
		},
		{
			key:   "resourceclaims/space-01/removed",
			value: header("resource.k8s.io/v1alpha2", "ResourceClaim", "space-01", "removed") + `"spec":{"resourceClassName":"x"}}`,
		},
		{
			key:   "resourceclaims/space-01/older",
			value: header("resource.k8s.io/v1beta1", "ResourceClaim", "space-01", "older") + `"spec":{"devices":{"requests":[{"name":"a","deviceClassName":"x"}]}}}`,
		},
		{
			key:   "flowschemas/older",
			value: header("flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", "", "older") + `"spec":{"priorityLevelConfiguration":{"name":"global-default"},"matchingPrecedence":9000,"distinguisherMethod":{"type":"ByUser"}}}`,
		},
		{key: "cronjobs/space-01/statusless", value: header("batch/v1", "CronJob", "space-01", "statusless") + failurePolicy(`{"type":"DisruptionTarget"}`, pod)},
		{key: "cronjobs/space-01/with-status", value: header("batch/v1", "CronJob", "space-01", "with-status") + failurePolicy(`{"type":"DisruptionTarget","status":"True"}`, pod)},
		{
			key:   "pods/space-01/zeros",
			value: header("v1", "Pod", "space-01", "zeros") + `"spec":` + pod + `,"hostAliases":[{"ip":"010.001.002.003","hostnames":["a"]}]},"status":{"phase":"Pending","qosClass":"BestEffort"}}`,
		},
		{
			key:   "deployments/space-01/zeros",
			value: header("apps/v1", "Deployment", "space-01", "zeros") + `"spec":{"replicas":0,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":` + strings.Replace(pod, "Never", "Always", 1) + `,"hostAliases":[{"ip":"010.001.002.003","hostnames":["a"]}]}}},"status":{}}`,
		},
		{
			key:   "services/specs/space-01/near",
			value: header("v1", "Service", "space-01", "near") + `"spec":{"ports":[{"port":80,"protocol":"TCP","targetPort":80}],"clusterIP":"None","clusterIPs":["None"],"type":"ClusterIP","sessionAffinity":"None","trafficDistribution":"PreferSameNode","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","internalTrafficPolicy":"Cluster"},"status":{"loadBalancer":{}}}`,
		},
		{
			key:   "csidrivers/quiet",
			value: header("storage.k8s.io/v1", "CSIDriver", "", "quiet") + `"spec":{"attachRequired":true,"podInfoOnMount":false,"fsGroupPolicy":"ReadWriteOnceWithFSType","volumeLifecycleModes":["Persistent"],"storageCapacity":false,"tokenRequests":[{"audience":"a"}],"requiresRepublish":false,"seLinuxMount":false,"serviceAccountTokenInSecrets":true}}`,
		},
		{
			key:   "servicecidrs/other",
			value: header("networking.k8s.io/v1", "ServiceCIDR", "", "other") + `"spec":{"cidrs":["192.168.0.0/24"]},"status":{}}`,
		},
		{
			key:   "servicecidrs/kubernetes",
			value: header("networking.k8s.io/v1", "ServiceCIDR", "", "kubernetes") + `"spec":{"cidrs":["10.96.0.0/12"]},"status":{}}`,
		},
	}
}

// failurePolicy is the spec of a CronJob with a podFailurePolicy.
func failurePolicy(condition, pod string) string {
	return `"spec":{"schedule":"0 0 * * *","concurrencyPolicy":"Allow","suspend":false,"successfulJobsHistoryLimit":3,"failedJobsHistoryLimit":1,"jobTemplate":{"spec":{"podFailurePolicy":{"rules":[{"action":"Ignore","onExitCodes":null,"onPodConditions":[` + condition + `]}]},"template":{"spec":` + pod + `}}}}}}`
}

// definition is a definition of custom resources of a kind that v1 stores, and v1beta1 is served beside.
func definition(plural, kind, group, conversion, more string) string {
	return header("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", plural+"."+group) + fmt.Sprintf(`"spec":{"group":%q,"scope":"Namespaced","names":{"plural":%q,"singular":%q,"kind":%q,"listKind":%q},"conversion":%s,"versions":[
{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}},
{"name":"v1beta1","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]%s},
"status":{"acceptedNames":{"plural":%[2]q,"singular":%[3]q,"kind":%[4]q,"listKind":%[5]q},"storedVersions":["v1","v1beta1"],"conditions":[{"type":"NamesAccepted","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"NoConflicts","message":"no conflicts found"},{"type":"Established","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"InitialNamesAccepted","message":"the initial names have been accepted"}]}}`,
		group, plural, strings.ToLower(kind), kind, kind+"List", conversion, more)
}

// customInjected are definitions and custom resources.
func customInjected(listener string) []injection {
	webhook := func(bundle string) string {
		return fmt.Sprintf(`{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],"clientConfig":{"url":"https://%s/convert"%s}}}`, listener, bundle)
	}
	return []injection{
		{
			key:   "apiextensions.k8s.io/customresourcedefinitions/widgets.bad.k8s.io",
			value: definition("widgets", "Widget", "bad.k8s.io", webhook(`,"caBundle":"YmFk"`), ""),
		},
		{
			key:   "bad.k8s.io/widgets/space-01/a",
			value: header("bad.k8s.io/v1", "Widget", "space-01", "a") + `"spec":{"acmesecretkey":"x"}}`,
		},
		{
			key:   "apiextensions.k8s.io/customresourcedefinitions/gadgets.hooked.example.com",
			value: definition("gadgets", "Gadget", "hooked.example.com", webhook(""), ""),
		},
		{
			key:   "hooked.example.com/gadgets/space-01/v1",
			value: header("hooked.example.com/v1", "Gadget", "space-01", "v1") + `"spec":{"acmesecretkey":"x"}}`,
		},
		{
			key:   "hooked.example.com/gadgets/space-01/v1beta1",
			value: header("hooked.example.com/v1beta1", "Gadget", "space-01", "v1beta1") + `"spec":{"acmesecretkey":"x"}}`,
		},
		{
			key:   "hooked.example.com/gadgets/space-01/v1alpha1",
			value: header("hooked.example.com/v1alpha1", "Gadget", "space-01", "v1alpha1") + `"spec":{"acmesecretkey":"x"}}`,
		},
		{
			key:   "gone.example.com/things/space-01/left",
			value: header("gone.example.com/v1", "Thing", "space-01", "left") + `"spec":{}}`,
		},
	}
}

// oddInjected are values that no server stores so.
func oddInjected() []injection {
	return []injection{
		{key: "configmaps/space-01/nothing", value: "\x01\x02 nothing"},
		{key: "configmaps/space-01/cut", value: "k8s\x00\x0a\x0f\x0a\x02v1\x12\x09ConfigMap\x12\xff\x01"},
		{
			key:   "configmaps/space-01/key-name",
			value: header("v1", "ConfigMap", "space-01", "other-name") + `"data":{"a":"b"}}`,
		},
		{
			key:   "configmaps/space-01/key-space",
			value: header("v1", "ConfigMap", "space-02", "key-space") + `"data":{"a":"b"}}`,
		},
		{
			key:   "configmaps/no-such-space/homeless",
			value: header("v1", "ConfigMap", "no-such-space", "homeless") + `"data":{"a":"b"}}`,
		},
		{
			key:   "configmaps/space-01/huge",
			value: header("v1", "ConfigMap", "space-01", "huge") + `"data":{"a":"` + strings.Repeat("x", 1<<20-1024) + `"}}`,
		},
		{
			key:   "configmaps/space-01/doomed",
			value: strings.Replace(header("v1", "ConfigMap", "space-01", "doomed"), `"annotations"`, `"deletionTimestamp":"2026-01-02T00:00:00Z","deletionGracePeriodSeconds":0,"finalizers":["example.com/x"],"annotations"`, 1) + `"data":{"a":"b"}}`,
		},
		{
			key:   "configmaps/space-01/unknown-field",
			value: header("v1", "ConfigMap", "space-01", "unknown-field") + `"data":{"a":"b"},"newfield":{"x":1}}`,
		},
	}
}

// admissionInjected are what decides on requests.
func admissionInjected(listener string) []injection {
	return []injection{
		{
			key:   "clusterroles/reads-exec",
			value: header("rbac.authorization.k8s.io/v1", "ClusterRole", "", "reads-exec") + `"rules":[{"apiGroups":[""],"resources":["pods/exec"],"verbs":["get"]}]}`,
		},
		{
			key:   "validatingwebhookconfigurations/closed",
			value: header("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", "closed") + fmt.Sprintf(`"webhooks":[{"name":"all.example.com","admissionReviewVersions":["v1"],"sideEffects":"None","failurePolicy":"Fail","matchPolicy":"Equivalent","clientConfig":{"url":"https://%s/"},"rules":[{"apiGroups":["*"],"apiVersions":["*"],"resources":["*/*"],"operations":["*"],"scope":"*"}]}]}`, listener),
		},
		{
			key:   "validatingadmissionpolicies/who",
			value: header("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "", "who") + `"spec":{"failurePolicy":"Fail","matchConstraints":{"matchPolicy":"Equivalent","namespaceSelector":{},"objectSelector":{},"resourceRules":[{"apiGroups":["example.com"],"apiVersions":["v1"],"resources":["nothings"],"operations":["CREATE"],"scope":"*"}]},"validations":[{"expression":"request.userInfo.username != 'x'"}]}}`,
		},
		{
			key:   "validatingadmissionpolicybindings/who",
			value: header("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", "", "who") + `"spec":{"policyName":"who","validationActions":["Deny"]}}`,
		},
	}
}

// playedPair is what is injected on a pair of releases, and what a preflight finds.
type playedPair struct {
	keys     []string // of the injections; nil: all of them, with flags and encrypted values
	rollback bool     // the newer release has stored them
	unready  []string // kinds that keep the first release from being ready
	want     []string // CLASS DIRECTION KIND NAME PATH; what is broken for the first release alone is not among it
}

// playedPairs are the pairs by their minor releases.
func playedPairs() map[string]playedPair {
	return map[string]playedPair{
		// No server is ready without its ResourceClaims, which admission of ResourceQuotas asks for: 1.36 is not already.
		"v1.36..v1.37": {unready: []string{"ResourceClaim.resource.k8s.io"}, want: []string{
			"indeterminate back Gadget kms", "indeterminate back Secret keyless",
			"indeterminate back ValidatingAdmissionPolicy who", "indeterminate up Gadget kms", "indeterminate up Secret keyless",
			"indeterminate up ValidatingAdmissionPolicy who",
			"indeterminate up ValidatingWebhookConfiguration closed .webhooks[]",
			"not-ready up   --feature-gates=AnyVolumeDataSource", "not-ready up   --feature-gates=JobBackoffLimitPerIndex",
			"undecodable up StorageVersionMigration old",
		}},
		// StrictIPCIDRValidation is on from 1.36 on, and spares no address that is there already.
		"v1.35..v1.36": {
			keys: []string{"pods/space-01/zeros", "deployments/space-01/zeros", "services/specs/space-01/near"},
			want: []string{"frozen up Deployment zeros .spec.template.spec.hostAliases[].ip", "frozen up Pod zeros .spec.hostAliases[].ip"},
		},
		// Only 1.35 knows the field, at default settings.
		"v1.34..v1.35": {
			keys: []string{"csidrivers/quiet", "pods/space-01/zeros"},
			want: []string{"hidden up CSIDriver quiet .spec.serviceAccountTokenInSecrets", "lost back CSIDriver quiet .spec.serviceAccountTokenInSecrets"},
		},
		// PreferSameTrafficDistribution is off in 1.33, which refuses each update of what 1.34 stored.
		"v1.33..v1.34": {
			keys: []string{"services/specs/space-01/near", "pods/space-01/zeros", "cronjobs/space-01/statusless", "cronjobs/space-01/with-status"}, rollback: true,
			want: []string{
				"frozen back CronJob statusless .spec.jobTemplate.spec.podFailurePolicy.rules[].onPodConditions[].status", // 1.33 fills none in
				"frozen back Service near .spec.trafficDistribution",
				// of the clean store of 1.34: at default settings, 1.33 does not serve these kinds
				"not-served back DeviceClass deviceclass-28", "not-served back ResourceClaim resourceclaim-29", "not-served back ResourceClaimTemplate resourceclaimtemplate-30",
				"not-served back ResourceSlice resourceslice-31", "not-served back VolumeAttributesClass volumeattributesclass-38",
			},
		},
	}
}

// TestNightlyPreflightInjections: of a store with injected values, a preflight finds what they are
// known for, and nothing else. It calls nobody, and no report holds a value.
func TestNightlyPreflightInjections(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	for _, pair := range tiers.Shard(t, tiers.Plays(t, tiers.Nightly).Pairs) {
		t.Run(pair, func(t *testing.T) {
			p, known := playedPairs()[minorsOf(pair)]
			if !known {
				t.Skip("what is found on these releases is not written down")
			}
			available(t, pair)
			playInjections(t, pair, p)
		})
	}
}

// playInjections plays the injections of a pair.
func playInjections(t *testing.T, pair string, p playedPair) {
	old, new, err := servers.ParsePair(pair)
	require.NoError(t, err)
	if p.rollback {
		old, new = new, old
	}
	b, err := newApp().Builder().Build(t.Context(), old)
	require.NoError(t, err)
	reserved, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	at := reserved.Addr().String()
	require.NoError(t, reserved.Close())
	values := map[string]string{}
	for _, i := range everyInjection(at) {
		if p.keys == nil || slices.Contains(p.keys, i.key) {
			values["/registry/"+i.key] = i.value
		}
	}
	more := []string{"--rollback"}
	if !p.rollback {
		more = nil
	}
	if p.keys == nil {
		flags := filepath.Join(t.TempDir(), "flags")
		require.NoError(t, os.WriteFile(flags, []byte("--feature-gates=AnyVolumeDataSource=true,JobBackoffLimitPerIndex=true\n--audit-webhook-config-file=/x\n"), 0o600))
		more = append(more, "--server-flags", flags, "--encryption-config", encryptionOf(t, values))
	} else {
		require.Len(t, values, len(p.keys))
	}
	file, _ := snapshotOf(t, b, 40, values)
	r := playInjected(t, file, at, append([]string{"--from", old.String(), "--to", new.String()}, more...)...)
	assert.ElementsMatch(t, p.want, foundNamed(r.Hops[0].Findings))
	var unready []string
	for _, f := range r.Hops[0].Baseline {
		if f.Outcome == term.NotReady && f.Serves {
			unready = append(unready, f.Unread...)
		}
	}
	assert.Equal(t, p.unready, unready)
}

// playInjected plays a snapshot. Its preflight calls nobody, and no report holds a value.
func playInjected(t *testing.T, file, listener string, flags ...string) preflight.Result {
	called := listening(t, listener)
	bin, err := exec.LookPath("skewsim") // this executable, as TestMain has it
	require.NoError(t, err)
	out := filepath.Join(t.TempDir(), "out")
	o := real{t, bin}.run(append([]string{"preflight", file, "--out", out}, flags...)...)
	r := readPreflight(t, out)
	code := ExitExpected
	switch {
	case len(r.Failing(preflight.Up))+len(r.Failing(preflight.Back)) > 0:
		code = ExitDiffers
	case r.Unplayed(preflight.Back):
		code = ExitUnjudged
	}
	o.want(t, code)
	wantUncalled(t, called, listener)
	wantNoValue(t, out)
	return r
}

// foundNamed are findings as CLASS DIRECTION KIND NAME PATH.
func foundNamed(all []preflight.Finding) []string {
	found := []string{}
	for _, f := range all {
		found = append(found, strings.TrimSpace(fmt.Sprintf("%s %s %s %s %s", f.Outcome, f.Direction, f.Kind, f.Name, f.Path)))
	}
	return found
}

// encryptionOf adds a value that is encrypted, and two that no key reads, and returns the
// configuration that has the key of the first one.
func encryptionOf(t *testing.T, values map[string]string) (config string) {
	seal, at := snapshot.NewSeal(), "/registry/secrets/space-01/sealed"
	sealed, err := seal.Encrypt(t.Context(), "secrets", at, []byte(header("v1", "Secret", "space-01", "sealed")+`"type":"Opaque","data":{"k":"Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5LXN0YXBsZQ=="}}`))
	require.NoError(t, err)
	values[at], values["/registry/secrets/space-01/keyless"] = string(sealed), "k8s:enc:aescbc:v1:gone:xyz"
	values["/registry/hooked.example.com/gadgets/space-01/kms"] = "k8s:enc:kms:v2:vault:xyz"
	config = filepath.Join(t.TempDir(), "encryption.yaml")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n- resources: [secrets]\n  providers:\n  - secretbox: {keys: [{name: copy, secret: %s}]}\n",
		base64.StdEncoding.EncodeToString(servers.EncryptionKey([]byte(seal.Seed), "copy"))), 0o600))
	return config
}
