package preflight

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/mask"
)

var (
	isDate      = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
	release     = regexp.MustCompile(`^v?[0-9]{1,3}\.[0-9]{1,3}(\.[0-9]{1,3})?(-(alpha|beta|rc)\.[0-9]{1,3})?\b`)
	featureGate = regexp.MustCompile(`^[A-Z][A-Za-z0-9]{2,80}$`)
	word        = regexp.MustCompile(`[\p{L}\p{N}][^\s:;,()]*`)
	code        = regexp.MustCompile(`\b(answered) ([1-5][0-9]{2})\b`)
	elided      = regexp.MustCompile(`…([\s:;,.()]*…)+`)
	spaces      = regexp.MustCompile(` {2,}`)
	apiVersion  = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)
	fieldName   = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)
)

// writes are the names of writes that preflight sends.
func writes() []string {
	return []string{"label", "put", "finalizer", "status", "scale", "apply", "template", "edit", "create"}
}

// builtInGroups are the groups of Kubernetes itself. Definitions of users may be in other groups of k8s.io.
const builtInGroups = `
	admissionregistration.k8s.io apiextensions.k8s.io apiregistration.k8s.io apps authentication.k8s.io authorization.k8s.io autoscaling batch
	certificates.k8s.io coordination.k8s.io discovery.k8s.io events.k8s.io flowcontrol.apiserver.k8s.io internal.apiserver.k8s.io
	networking.k8s.io node.k8s.io policy rbac.authorization.k8s.io resource.k8s.io scheduling.k8s.io storage.k8s.io storagemigration.k8s.io`

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
	well whether whole workloads zeros
	account change count contents damaged definition delete element make makes neither nor rule unless another nobody others runtime-config secret stored write
	aggregated among compilation nil number answer APIServices both caller complete confidential core CustomResourceDefinitions expire hours large let listed moment prefers say Secrets
	stores times under visible permit phase`

func vocabulary() map[string]bool {
	all := maps.Clone(mask.Vocabulary())
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
	return elided.ReplaceAllString(spaces.ReplaceAllString(kept.String(), " "), "…")
}

// line keeps the words of a line about something that the user named: of what it names before its reason, kinds,
// resources and versions of Kubernetes alone. A name may be a word of any sentence.
func (s sharer) line(text string) string {
	const fewest = 6 // words of a sentence of ours before a colon
	head, reason, named := strings.Cut(text, ": ")
	words := strings.Fields(head)
	if !named || len(words) >= fewest {
		return s.sentence(text, nil)
	}
	for i, w := range words {
		if !s.defines(w) {
			words[i] = "…"
		}
	}
	if place, why, isIn := strings.Cut(reason, ": "); isIn && strings.HasPrefix(place, "in ") {
		reason = "in …: " + why
	}
	return elided.ReplaceAllString(strings.Join(words, " "), "…") + ": " + s.sentence(reason, nil)
}

// defines reports whether a word is a kind, resource or version of Kubernetes itself: Pod, Deployment.apps,
// deployments.apps, apps/v1.
func (s sharer) defines(w string) bool {
	name, group, _ := strings.Cut(w, ".")
	if isOurs(group, name) || s.resources[name] && isOurs(group, "Pod") {
		return true
	}
	group, version, grouped := strings.Cut(w, "/")
	return w == "v1" || grouped && isOurs(group, "Pod") && apiVersion.MatchString(version)
}

// resourcesOf returns the names of resources of kinds.
func resourcesOf(kinds []string) map[string]bool {
	all := map[string]bool{}
	for _, kind := range kinds {
		lower := strings.ToLower(kind)
		for _, plural := range []string{lower + "s", lower + "es", strings.TrimSuffix(lower, "y") + "ies"} {
			all[plural] = true
		}
		all[lower] = strings.HasSuffix(lower, "points")
	}
	return all
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
// release, and its kind as servers name it. Names in the path have their fingerprints.
func (s sharer) about(f preflight.Finding, shared preflight.Finding) map[string]string {
	all := map[string]string{f.Release: shared.Release}
	from, to := strings.TrimPrefix(f.Path, "."), strings.TrimPrefix(shared.Path, ".")
	for strings.Count(from, ".") > strings.Count(to, ".") { // what is below a name is left out
		from = from[:strings.LastIndexByte(from, '.')]
	}
	for from != "" && to != "" {
		if from == to || strings.Contains(from, ".") { // a name alone may be a word of any sentence
			all[from], all[strings.TrimSuffix(from, "[]")] = to, strings.TrimSuffix(to, "[]")
		}
		from, to = from[:max(strings.LastIndexByte(from, '.'), 0)], to[:max(strings.LastIndexByte(to, '.'), 0)]
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

// isOurs reports whether Kubernetes itself defines a kind of a group.
func isOurs(group, kind string) bool {
	return group == "" && kind == preflight.StrayKey || (group == "" || slices.Contains(strings.Fields(builtInGroups), group)) && slices.Contains(strings.Fields(builtInKinds), kind)
}

// kind keeps what Kubernetes defines: the group and the kind of a definition are names of users.
func (s sharer) kind(group, kind string) (string, string) {
	if isOurs(group, kind) {
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
	allocatedResources allocatedResourceStatuses default defaultRequest max min maxLimitRequestRatio extra overhead podFixed parameters volumeAttributes
	attributes options properties patternProperties definitions dependencies schemas additionalProperties `

// path keeps the fields that Kubernetes defines. What is below a map is left out, and what a definition of the user's
// declares has fingerprints.
func (s sharer) path(group, kind, text string) string {
	if flag, element, _ := strings.Cut(text, "="); strings.HasPrefix(text, "--") {
		return s.flag(flag, element)
	}
	var kept strings.Builder
	fields := strings.Split(strings.TrimPrefix(text, "."), ".")
	ours := kind == "" || isOurs(group, kind) || fields[0] == "metadata"
	for i, field := range fields {
		plain := strings.TrimRight(field, "[]")
		if plain == "" {
			continue
		}
		known := ours || i == 0 && (plain == "spec" || plain == "status")
		if !known || !fieldName.MatchString(plain) {
			plain = s.name(plain)
		}
		kept.WriteString("." + plain + strings.Repeat("[]", strings.Count(field, "[]")))
		if ours && strings.Contains(mapFields, " "+plain+" ") {
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
