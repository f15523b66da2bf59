package preflight

import (
	"maps"
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

// ownWords are words of the simulator's sentences that no server uses.
const ownWords = `
	accepted accepts act add address addresses adds after all although anew answers Argo authorizer available back because bits bytes can cannot
	canonical CD check checks CIDR clients collector common compared contain controller controllers copy covered create custom definitions delete depend
	depends directory disk do drivers drops dry early else encrypted Events every everything expiry fail failurePolicy fairness feature features
	file finding findings fix flag flags free further garbage gates groups hash hide hides hops host informer-sync IP issue judged keeps know knows kube-
	apiserver kubectl kubelet kubelets lacks later leases lose loses made MB mean means minor minute need needs new newer next now older otherwise permits
	played pods preflight priority registers releases remove repair replaces requests restart rewrote rollback run runs schedulers sends
	serve Services since some something space started starts store taken takes them TMPDIR tried two upgrade use verdicts verified warning way WebSockets
	well whether whole workloads zeros`

func vocabulary() map[string]bool {
	all := maps.Clone(preflight.Vocabulary())
	for _, w := range strings.Fields(strings.ToLower(builtInKinds + ownWords)) {
		all[w] = true
	}
	return all
}

// sentence keeps the known words of a sentence, how a request was answered, and words that others may
// replace: what a finding says of itself in other places.
func (s sharer) sentence(text string, replaced map[string]string) string {
	answered := map[string]bool{}
	for _, found := range code.FindAllStringSubmatch(text, -1) {
		answered[found[2]] = true
	}
	var kept strings.Builder
	from := 0
	for _, at := range word.FindAllStringIndex(text, -1) {
		w := text[at[0]:at[1]]
		plain := strings.TrimRight(w, ".'")
		kept.WriteString(punctuation(text[from:at[0]]))
		switch replacement, is := replaced[plain]; {
		case is:
			kept.WriteString(replacement)
		case s.vocabulary[strings.ToLower(plain)] || answered[w]:
			kept.WriteString(w)
		default:
			kept.WriteString("…")
		}
		from = at[1]
	}
	kept.WriteString(punctuation(text[from:]))
	return elided.ReplaceAllString(kept.String(), "…")
}

// punctuation removes everything that is not the punctuation of a sentence.
func punctuation(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" :;,.()'…", r) {
			return r
		}
		return ' '
	}, text)
}

// about returns the words of a finding's sentences that are no values: its path and what is above, its
// release, and its kind as servers name it.
func (s sharer) about(f preflight.Finding, shared preflight.Finding) map[string]string {
	all := map[string]string{f.Release: shared.Release}
	if at := strings.TrimPrefix(f.Path, "."); at != "" && shared.Path == f.Path {
		for at != "" {
			all[at], all[strings.TrimSuffix(at, "[]")] = at, strings.TrimSuffix(at, "[]")
			at = at[:max(strings.LastIndexByte(at, '.'), 0)]
		}
	}
	if f.Kind != "" && f.Kind == shared.Kind {
		all[f.Kind] = f.Kind
		for _, plural := range []string{strings.ToLower(f.Kind) + "s", strings.ToLower(f.Kind) + "es", strings.TrimSuffix(strings.ToLower(f.Kind), "y") + "ies", f.Kind} {
			name := strings.TrimSuffix(plural+"."+f.Group, ".")
			all[name] = name
		}
	}
	for i, kind := range f.Unread {
		all[kind] = shared.Unread[i]
	}
	return all
}

// kinds replaces kinds that have their groups after them.
func (s sharer) kinds(all []string) (replaced []string) {
	for _, text := range all {
		kind, group, _ := strings.Cut(text, ".")
		group, kind = s.kind(group, kind)
		replaced = append(replaced, strings.TrimSuffix(kind+"."+group, "."))
	}
	return replaced
}

// isOurs reports whether whole a group is one of Kubernetes itself.
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
	if flag, element, _ := strings.Cut(text, "="); strings.HasPrefix(text, "--") {
		return s.flag(flag, element)
	}
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

// flag keeps the flags whose elements Kubernetes names, with names of feature gates and admission plug-ins.
func (s sharer) flag(name, element string) string {
	if name = s.ours(name, "--feature-gates", "--enable-admission-plugins", "--disable-admission-plugins", "--runtime-config"); element == "" {
		return name
	}
	if !featureGate.MatchString(element) {
		element = s.name(element)
	}
	return name + "=" + element
}
