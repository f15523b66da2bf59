package preflight

import (
	"regexp"
	"strings"

	"github.com/skewsim/skewsim/sim/preflight"
)

var (
	isDate      = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	release     = regexp.MustCompile(`^v?[0-9]{1,3}\.[0-9]{1,3}(\.[0-9]{1,3})?(-(alpha|beta|rc)\.[0-9]{1,3})?\b`)
	featureGate = regexp.MustCompile(`^[A-Z][A-Za-z0-9]{2,80}$`)
	word        = regexp.MustCompile(`[\p{L}\p{N}][^\s:;,()]*`)
	code        = regexp.MustCompile(`\b(answered) ([1-5][0-9]{2})\b`)
	elided      = regexp.MustCompile(`…([\s:;,.()]*…)+`)
	fieldName   = regexp.MustCompile(`^[a-z][A-Za-z0-9]*(\[\])*$`)
)

// phases are the parts of a hop.
func phases() []string {
	return []string{preflight.PhaseBaseline, preflight.PhaseBeside, preflight.PhaseAlone, preflight.PhaseBack, preflight.PhaseRewrote, preflight.PhaseWritten}
}

// writes are the names of writes that preflight sends.
func writes() []string {
	return []string{"label", "put", "finalizer", "status", "scale", "apply", "template"}
}

// builtInKinds are kinds of Kubernetes itself: any other may be named by a user.
const builtInKinds = `
	APIService Binding CertificateSigningRequest ClusterRole ClusterRoleBinding ClusterTrustBundle ComponentStatus ConfigMap ControllerRevision
	CronJob CSIDriver CSINode CSIStorageCapacity CustomResourceDefinition DaemonSet Deployment DeviceClass DeviceTaintRule Endpoints EndpointSlice Event
	FlowSchema HorizontalPodAutoscaler Ingress IngressClass IPAddress Job Lease LeaseCandidate LimitRange LocalSubjectAccessReview
	MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration Namespace NetworkPolicy Node PersistentVolume
	PersistentVolumeClaim Pod PodCertificateRequest PodDisruptionBudget PodTemplate PriorityClass PriorityLevelConfiguration ReplicaSet
	ReplicationController ResourceClaim ResourceClaimTemplate ResourceQuota ResourceSlice Role RoleBinding RuntimeClass Secret Service
	ServiceAccount ServiceCIDR StatefulSet StorageClass StorageVersion StorageVersionMigration ValidatingAdmissionPolicy
	ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration VolumeAttachment VolumeAttributesClass Workload`

// knownWords are words of validation, of status messages and of the simulator, none of which can
// be known to be a value of the user's.
const knownWords = `
	a about added admission again alone already an and another answered any API APIs are array as at be become becomes been before being but by
	called cannot changed client cluster code configuration conflict conversion convert could crash created
	data decode decoded decoder decrypt decryption default defaults deleted denied denies deny did disabled does done dropped duplicate
	each empty enabled encoded encoding encryption error errors exceeded exist exists expected exited expired expression
	failed failure fails field fields finalizer for forbidden form found from gate gave GET give gone greater group had has have having her how
	if immutable in indeterminate integer internal into invalid is it its JSON key keys kind kinds known
	label last leading left length less list long longer longest malformed manifests many may message metadata missing more most must
	name names namespaced namespace no nobody non none not nothing null number
	object objects of off on once one only operation or original other out
	parse patch path perform permitted policy positive preset provided provider put range read reads reading ready refused refuses
	registered rejected release removed repeated request required resource resources response returned review rule
	same scale schema scheme see seen served server servers serves service set sets should show shown shows size slash snapshot so someone source
	spec specified start status stop stored storage string subresource such supported
	template than that the their then there these they this time timeout to too true type types
	unable unavailable unauthorized unexpected unknown unsupported until unserved update updated updates uses user
	valid validation value values version versions was webhook webhooks were what when where which while who why will with within without
	words would write writes written wrote yet you zero YAML`

func vocabulary() map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(knownWords + builtInKinds)) {
		all[w] = true
	}
	return all
}

// sentence keeps the known words of a sentence, and how a request was answered.
func (s sharer) sentence(text string) string {
	if text == "" {
		return ""
	}
	answered := code.FindStringSubmatch(text)
	text = word.ReplaceAllStringFunc(text, func(w string) string {
		if s.vocabulary[strings.ToLower(strings.TrimRight(w, ".'"))] || len(answered) > 0 && w == answered[2] {
			return w
		}
		return "…"
	})
	return elided.ReplaceAllString(notWords(text), "…")
}

// notWords removes everything from a sentence that is neither a letter or number of a word that
// was kept, nor the punctuation of a sentence.
func notWords(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune(" :;,.()'…", r):
			return r
		}
		return ' '
	}, text)
}

// isOurs reports whether a group is one of Kubernetes itself.
func isOurs(group string) bool {
	return strings.HasSuffix(group, ".k8s.io") || (group == "" || group == "apps" || group == "autoscaling" || group == "batch" || group == "policy")
}

// kind keeps what Kubernetes defines: the group and the kind of a definition are names of users.
func (s sharer) kind(group, kind string) (string, string) {
	if isOurs(group) && s.builtIn(kind) == kind {
		return group, kind
	}
	return s.name(group), s.name(kind)
}

func (s sharer) builtIn(kind string) string {
	if kind == "" {
		return ""
	}
	return s.ours(kind, strings.Fields(builtInKinds)...)
}

// owner keeps the kind of an owner.
func (s sharer) owner(text string) string {
	kind, name, named := strings.Cut(text, " ")
	if !named {
		return s.name(text)
	}
	return s.builtIn(kind) + " " + s.name(name)
}

// mapFields are the fields of Kubernetes whose members users name.
const mapFields = ` labels annotations matchLabels nodeSelector selector data stringData binaryData limits requests capacity allocatable hard used
	overhead parameters volumeAttributes attributes options extra config properties patternProperties definitions schemas additionalProperties `

// path keeps the fields that Kubernetes defines; what is below a map, and what a definition of the
// user's declares, are names.
func (s sharer) path(group, text string) string {
	var kept strings.Builder
	for _, field := range strings.Split(strings.TrimPrefix(text, "."), ".") {
		if field == "" {
			continue
		}
		known := s.vocabulary[strings.ToLower(field)] || strings.Contains(mapFields, " "+field+" ")
		if !fieldName.MatchString(field) || !isOurs(group) && !known {
			field = s.name(field)
		}
		kept.WriteString("." + field)
		if strings.Contains(mapFields, " "+strings.TrimSuffix(field, "[]")+" ") {
			break
		}
	}
	return kept.String()
}
