package main

import (
	"slices"
	"strings"
)

// upwardCases are cases of the way to a newer release, by their names.
func upwardCases() map[string]injectedCase {
	return map[string]injectedCase{
		"tightened validation":   tightenedValidation(),
		"removed alpha versions": removedAlphaVersions(),
		"pod security":           podSecurity(),
		"removed versions":       removedVersions(),
		"fields of 1.35":         fieldsOf135(),
		"certificate requests":   certificateRequests(),
		"classic DRA":            classicDRA(),
	}
}

// tightenedValidation: 1.36 refuses each update of some values that 1.35 took, and spares others: those in lists of addresses alone.
func tightenedValidation() injectedCase {
	return injectedCase{releases: "kube-apiserver@v1.35.4..v1.36.3", put: slices.Concat(
		[]injection{
			{"volumeattachments/bad-attacher", header("storage.k8s.io/v1", "VolumeAttachment", "", "bad-attacher") + `"spec":{"attacher":"Bad_Attacher!","source":{"persistentVolumeName":"pv"},"nodeName":"n"},"status":{"attached":false}}`},
			{"volumeattachments/bad-volume", header("storage.k8s.io/v1", "VolumeAttachment", "", "bad-volume") + `"spec":{"attacher":"good.example.com","source":{"persistentVolumeName":"Bad_Volume"},"nodeName":"n"},"status":{"attached":false}}`},
			{"volumeattachments/near", header("storage.k8s.io/v1", "VolumeAttachment", "", "near") + `"spec":{"attacher":"good.example.com","source":{"persistentVolumeName":"pv"},"nodeName":"n"},"status":{"attached":false}}`},
			deployment("space-01", "init-near", "", `,"initContainers":[{"name":"i","image":"i","terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always","resources":{},"resizePolicy":[{"resourceName":"cpu","restartPolicy":"NotRequired"}]}]`),
			deployment("space-01", "init-resize", "", `,"initContainers":[{"name":"i","image":"i","terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always","resources":{},"resizePolicy":[{"resourceName":"cpu","restartPolicy":"RestartContainer"}]}]`),
			podOf("space-01", "init-resize", "", `,"initContainers":[{"name":"i","image":"i","terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always","resources":{},"resizePolicy":[{"resourceName":"cpu","restartPolicy":"RestartContainer"}]}]`, ""),
			deployment("space-01", "dns", "", `,"dnsConfig":{"nameservers":["010.0.0.10"]}`),
			deployment("space-01", "dns-near", "", `,"dnsConfig":{"nameservers":["10.0.0.10"]}`),
			{"endpointslices/space-01/zeros", header("discovery.k8s.io/v1", "EndpointSlice", "space-01", "zeros") + `"addressType":"IPv4","endpoints":[{"addresses":["010.0.0.1"],"conditions":{}}],"ports":[]}`},
			{"services/endpoints/space-01/zeros", header("v1", "Endpoints", "space-01", "zeros") + `"subsets":[{"addresses":[{"ip":"010.0.0.1"}],"ports":[{"port":80,"protocol":"TCP"}]}]}`},
			{"networkpolicies/space-01/zeros", header("networking.k8s.io/v1", "NetworkPolicy", "space-01", "zeros") + `"spec":{"podSelector":{},"ingress":[{"from":[{"ipBlock":{"cidr":"010.0.0.0/8"}}]}],"policyTypes":["Ingress"]}}`},
			{"minions/zeros", header("v1", "Node", "", "zeros") + `"spec":{"podCIDR":"010.244.0.0/24","podCIDRs":["010.244.0.0/24"]},"status":{}}`},
			{"ingress/space-01/zeros", header("networking.k8s.io/v1", "Ingress", "space-01", "zeros") + `"spec":{"defaultBackend":{"service":{"name":"s","port":{"number":80}}}},"status":{"loadBalancer":{"ingress":[{"ip":"010.0.0.1"}]}}}`},
			podOf("space-01", "pod-ip", "", "", `,"podIP":"010.0.0.1","podIPs":[{"ip":"010.0.0.1"}],"hostIP":"010.0.0.2","hostIPs":[{"ip":"010.0.0.2"}]`),
			{"clusterroles/updates-claims", header("rbac.authorization.k8s.io/v1", "ClusterRole", "", "updates-claims") + `"rules":[{"apiGroups":["resource.k8s.io"],"resources":["resourceclaims/status"],"verbs":["update"]}]}`},
			{"clusterroles/gets-claims", header("rbac.authorization.k8s.io/v1", "ClusterRole", "", "gets-claims") + `"rules":[{"apiGroups":["resource.k8s.io"],"resources":["resourceclaims/status"],"verbs":["get"]}]}`},
			{"roles/space-01/execs", header("rbac.authorization.k8s.io/v1", "Role", "space-01", "execs") + `"rules":[{"apiGroups":[""],"resources":["pods/exec"],"verbs":["get"]}]}`},
			{"services/specs/space-01/1svc", header("v1", "Service", "space-01", "1svc") + `"spec":{"ports":[{"port":80,"protocol":"TCP","targetPort":80}],"clusterIP":"None","clusterIPs":["None"],"type":"ClusterIP","sessionAffinity":"None","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","internalTrafficPolicy":"Cluster"},"status":{"loadBalancer":{}}}`},
			{"workloads/space-01/older", header("scheduling.k8s.io/v1alpha1", "Workload", "space-01", "older") + `"spec":{"podGroups":[{"name":"g","policy":{"basic":{}}}]}}`},
			{"mutatingadmissionpolicies/sleeping", header("admissionregistration.k8s.io/v1alpha1", "MutatingAdmissionPolicy", "", "sleeping") + `"spec":{"failurePolicy":"Fail","reinvocationPolicy":"Never","matchConstraints":{"matchPolicy":"Equivalent","namespaceSelector":{},"objectSelector":{},"resourceRules":[{"apiGroups":["example.org"],"apiVersions":["v1"],"resources":["nothings"],"operations":["CREATE"],"scope":"*"}]},"mutations":[{"patchType":"ApplyConfiguration","applyConfiguration":{"expression":"Object{metadata: Object.metadata{labels: {'x':'y'}}}"}}]}}`},
		},
	),
		want: []string{
			"v1.35.4: frozen up Deployment dns .spec.template.spec.dnsConfig.nameservers[]",
			"v1.35.4: frozen up Deployment init-resize .spec.template.spec.initContainers[].resizePolicy[].restartPolicy",
			"v1.35.4: frozen up Node zeros .spec.podCIDRs[]",
			"v1.35.4: frozen up VolumeAttachment bad-attacher .spec.attacher",
			"v1.35.4: frozen up VolumeAttachment bad-volume .spec.source.persistentVolumeName",
			"v1.35.4: means-something-else up ClusterRole updates-claims .rules",
		},
		already: []string{
			"not-served MutatingAdmissionPolicy sleeping",
			"not-served Workload older",
		},
	}
}

// removedAlphaVersions: 1.36 has no Workload of v1alpha1. What a definition serves no more can be read.
func removedAlphaVersions() injectedCase {
	const none = `{"strategy":"None"}`
	const open = `{"type":"object","x-kubernetes-preserve-unknown-fields":true}`
	return injectedCase{releases: "kube-apiserver@v1.35.4..v1.36.3", flags: "--feature-gates=GenericWorkload=true\n--runtime-config=scheduling.k8s.io/v1alpha1=true\n", put: []injection{
		{"workloads/space-01/older", header("scheduling.k8s.io/v1alpha1", "Workload", "space-01", "older") + `"spec":{"podGroups":[{"name":"g","policy":{"basic":{}}}]}}`},
		{"priorityclasses/near", header("scheduling.k8s.io/v1beta1", "PriorityClass", "", "near") + `"value":1,"preemptionPolicy":"PreemptLowerPriority"}`},
		podOf("space-01", "workload-ref", "", `,"workloadRef":{"name":"older","podGroup":"g"}`, ""),
		definitionOf("hops", "Hop", "hop.example.com", versionOf("v1", true, true, open)+","+versionOf("v1beta1", false, false, open), `"v1beta1","v1"`, none),
		customResource("hop.example.com", "v1beta1", "hops", "Hop", "unserved", `{"b":1}`),
		customResource("hop.example.com", "v1", "hops", "Hop", "served", `{"b":1}`),
	},
		want: []string{
			"v1.35.4: not-ready up",
			"v1.35.4: not-ready up   --runtime-config=scheduling.k8s.io/v1alpha1",
			"v1.35.4: undecodable up Workload older",
			"v1.35.4: lost up Pod workload-ref .spec.workloadRef",
			"v1.35.4: lost back Pod workload-ref .spec.workloadRef",
		},
	}
}

// podSecurity: From 1.34 on, the level baseline forbids the host of a probe, unless the namespace names an earlier version.
func podSecurity() injectedCase {
	return injectedCase{releases: "kube-apiserver@v1.33.13..v1.34.4", put: slices.Concat([]injection{
		namespace("baseline", `,"pod-security.kubernetes.io/enforce":"baseline"`),
		namespace("pinned", `,"pod-security.kubernetes.io/enforce":"baseline","pod-security.kubernetes.io/enforce-version":"v1.33"`),
		namespace("future", `,"pod-security.kubernetes.io/enforce":"baseline","pod-security.kubernetes.io/enforce-version":"v1.99"`),
		namespace("aaa", ""),
		deployment("aaa", "probes", `,"livenessProbe":{"httpGet":{"path":"/","port":80,"host":"127.0.0.2","scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3}`, ""),
		deployment("baseline", "probes", `,"livenessProbe":{"httpGet":{"path":"/","port":80,"host":"127.0.0.2","scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3}`, ""),
		deployment("pinned", "probes", `,"livenessProbe":{"httpGet":{"path":"/","port":80,"host":"127.0.0.2","scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3}`, ""),
		podOf("baseline", "probes", `,"livenessProbe":{"httpGet":{"path":"/","port":80,"host":"127.0.0.2","scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3}`, "", ""),
		{"horizontalpodautoscalers/space-01/groupless", header("autoscaling/v2", "HorizontalPodAutoscaler", "space-01", "groupless") + `"spec":{"scaleTargetRef":{"kind":"Deployment","name":"x","apiVersion":"v1"},"minReplicas":1,"maxReplicas":2,"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":80}}}]},"status":{"currentMetrics":null,"desiredReplicas":0}}`},
		{"horizontalpodautoscalers/space-01/described", header("autoscaling/v2", "HorizontalPodAutoscaler", "space-01", "described") + `"spec":{"scaleTargetRef":{"kind":"Deployment","name":"x","apiVersion":"apps/v1"},"minReplicas":1,"maxReplicas":2,"metrics":[{"type":"Object","object":{"describedObject":{"kind":"Ingress","name":"x","apiVersion":"a/b/c"},"target":{"type":"Value","value":"1"},"metric":{"name":"m"}}}]},"status":{"currentMetrics":null,"desiredReplicas":0}}`},
		{"statefulsets/space-01/bad-claim", header("apps/v1", "StatefulSet", "space-01", "bad-claim") + `"spec":{"replicas":0,"serviceName":"s","selector":{"matchLabels":{"a":"b"}},"template":` + templateOf("", "") + `,"volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"0"}}},"status":{}}],"podManagementPolicy":"OrderedReady","updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":0}}},"status":{"replicas":0,"availableReplicas":0}}`},
		{"statefulsets/space-01/bad-template", header("apps/v1", "StatefulSet", "space-01", "bad-template") + `"spec":{"replicas":0,"serviceName":"s","selector":{"matchLabels":{"a":"b"}},"template":` + templateOf(`,"volumeMounts":[{"name":"missing","mountPath":"/x"}]`, "") + `,"podManagementPolicy":"OrderedReady","updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":0}}},"status":{"replicas":0,"availableReplicas":0}}`},
		deployment("space-01", "rules", `,"restartPolicy":"Never","restartPolicyRules":[{"action":"Restart","exitCodes":{"operator":"In","values":[3]}}]`, ""),
		{"servicecidrs/kubernetes", header("networking.k8s.io/v1beta1", "ServiceCIDR", "", "kubernetes") + `"spec":{"cidrs":["10.0.0.0/24"]},"status":{"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"x","message":"x"}]}}`},
		{"ipaddresses/10.0.0.77", header("networking.k8s.io/v1beta1", "IPAddress", "", "10.0.0.77") + `"spec":{"parentRef":{"resource":"services","namespace":"space-01","name":"nobody"}}}`},
		{"controllerrevisions/space-01/cm-1", header("apps/v1", "ControllerRevision", "space-01", "cm-1") + `"data":{"x":1},"revision":1}`},
	}, expressed("self.a.size() < 4")),
		want: []string{
			"v1.33.13: frozen up Deployment probes",
		},
		already: []string{
			"frozen Deployment rules .spec.template.spec.containers[].restartPolicy",
			"frozen StatefulSet bad-template .spec.template.spec.containers[].volumeMounts[].name",
		},
		deleted: []string{
			"FlowSchema endpoint-controller",
			"FlowSchema workload-leader-election",
		},
	}
}

// removedVersions: 1.36 decodes no longer some versions that it did not serve for years, and others it does.
func removedVersions() injectedCase {
	return injectedCase{releases: "kube-apiserver@v1.35.4..v1.36.3", put: []injection{
		{"horizontalpodautoscalers/space-01/v2beta2", header("autoscaling/v2beta2", "HorizontalPodAutoscaler", "space-01", "v2beta2") + `"spec":{"scaleTargetRef":{"kind":"Deployment","name":"x","apiVersion":"apps/v1"},"minReplicas":1,"maxReplicas":2},"status":{"currentReplicas":0,"desiredReplicas":0}}`},
		{"horizontalpodautoscalers/space-01/v1", header("autoscaling/v1", "HorizontalPodAutoscaler", "space-01", "v1") + `"spec":{"scaleTargetRef":{"kind":"Deployment","name":"x","apiVersion":"apps/v1"},"minReplicas":1,"maxReplicas":2},"status":{"currentReplicas":0,"desiredReplicas":0}}`},
		{"priorityclasses/oldest", header("scheduling.k8s.io/v1alpha1", "PriorityClass", "", "oldest") + `"value":1,"preemptionPolicy":"PreemptLowerPriority"}`},
		{"poddisruptionbudgets/space-01/beta", header("policy/v1beta1", "PodDisruptionBudget", "space-01", "beta") + `"spec":{"minAvailable":1,"selector":{"matchLabels":{"a":"b"}}},"status":{"disruptionsAllowed":0,"currentHealthy":0,"desiredHealthy":0,"expectedPods":0}}`},
		{"cronjobs/space-01/beta", header("batch/v1beta1", "CronJob", "space-01", "beta") + `"spec":{"schedule":"0 0 * * *","concurrencyPolicy":"Allow","suspend":false,"successfulJobsHistoryLimit":3,"failedJobsHistoryLimit":1,"jobTemplate":{"spec":{"template":{"spec":` + podSpec("Never", "", "") + `}}}},"status":{}}`},
		{"deployments/space-01/ancient", strings.Replace(deployment("space-01", "ancient", "", "").value, "apps/v1", "extensions/v1beta1", 1)},
		{"podsecuritypolicy/restricted", header("policy/v1beta1", "PodSecurityPolicy", "", "restricted") + `"spec":{}}`},
		{"masterleases/10.0.0.5", `{"apiVersion":"v1","kind":"Endpoints","metadata":{"name":"","generation":7},"subsets":[{"addresses":[{"ip":"10.0.0.5"}]}]}`},
		{"peerserverleases/apiserver-x", `{"apiVersion":"v1","kind":"Endpoints","metadata":{"name":"","generation":7},"subsets":[{"addresses":[{"ip":"10.0.0.5"}]}]}`},
		{"configmaps/space-01/wrong-kind", header("v1", "Secret", "space-01", "wrong-kind") + `"data":{"a":"Yg=="},"type":"Opaque"}`},
		{"csinodes/long", header("storage.k8s.io/v1", "CSINode", "", "long") + `"spec":{"drivers":[{"name":"d.example.com","nodeID":"` + strings.Repeat("n", 250) + `","topologyKeys":null}]}}`},
		{"cronjobs/space-01/panics", header("batch/v1", "CronJob", "space-01", "panics") + `"spec":{"schedule":"TZ=0","concurrencyPolicy":"Allow","suspend":false,"successfulJobsHistoryLimit":3,"failedJobsHistoryLimit":1,"jobTemplate":{"spec":{"template":{"spec":` + podSpec("Never", "", "") + `}}}},"status":{}}`},
	},
		want: []string{
			"v1.35.4: not-ready up",
			"v1.35.4: undecodable up HorizontalPodAutoscaler v2beta2",
			"v1.35.4: undecodable up PriorityClass oldest",
		},
		already: []string{
			"undecodable ConfigMap wrong-kind",
			"not-served PodSecurityPolicy restricted",
			"frozen CronJob panics .spec.schedule",
		},
	}
}

// fieldsOf135: At default settings 1.35 has a field of CSIDrivers that 1.34 hides, and refuses one value of it.
func fieldsOf135() injectedCase {
	const none = `{"strategy":"None"}`
	const open = `{"type":"object","x-kubernetes-preserve-unknown-fields":true}`
	return injectedCase{releases: "kube-apiserver@v1.34.4..v1.35.4", put: []injection{
		{"csidrivers/tokenless", header("storage.k8s.io/v1", "CSIDriver", "", "tokenless") + `"spec":{"attachRequired":true,"podInfoOnMount":false,"fsGroupPolicy":"ReadWriteOnceWithFSType","volumeLifecycleModes":["Persistent"],"storageCapacity":false,"requiresRepublish":false,"seLinuxMount":false,"serviceAccountTokenInSecrets":true}}`},
		{"csidrivers/quiet", header("storage.k8s.io/v1", "CSIDriver", "", "quiet") + `"spec":{"attachRequired":true,"podInfoOnMount":false,"fsGroupPolicy":"ReadWriteOnceWithFSType","volumeLifecycleModes":["Persistent"],"storageCapacity":false,"tokenRequests":[{"audience":"a"}],"requiresRepublish":false,"seLinuxMount":false,"serviceAccountTokenInSecrets":true}}`},
		{"cronjobs/space-01/panics", header("batch/v1", "CronJob", "space-01", "panics") + `"spec":{"schedule":"TZ=0","concurrencyPolicy":"Allow","suspend":false,"successfulJobsHistoryLimit":3,"failedJobsHistoryLimit":1,"jobTemplate":{"spec":{"template":{"spec":` + podSpec("Never", "", "") + `}}}},"status":{}}`},
		{"clusterroles/execs", header("rbac.authorization.k8s.io/v1", "ClusterRole", "", "execs") + `"rules":[{"apiGroups":[""],"resources":["pods/exec"],"verbs":["get"]}]}`},
		{"clusterroles/execs-all", header("rbac.authorization.k8s.io/v1", "ClusterRole", "", "execs-all") + `"rules":[{"apiGroups":[""],"resources":["pods/exec"],"verbs":["get","create"]}]}`},
		deployment("space-01", "tolerant", "", `,"tolerations":[{"key":"a","operator":"Gt","value":"5"}]`),
		deployment("space-01", "rules", `,"restartPolicy":"Never","restartPolicyRules":[{"action":"Restart","exitCodes":{"operator":"In","values":[3]}}]`, ""),
		{"podcertificaterequests/space-01/alpha", header("certificates.k8s.io/v1alpha1", "PodCertificateRequest", "space-01", "alpha") + `"spec":{}}`},
		{"mutatingadmissionpolicies/alpha", header("admissionregistration.k8s.io/v1alpha1", "MutatingAdmissionPolicy", "", "alpha") + `"spec":{}}`},
		definitionOf("hops", "Hop", "hop.example.com", versionOf("v1", true, true, `{"type":"object","properties":{"ip":{"type":"string","format":"k8s-short-name"},"d":{"type":"string","default":"x"}}}`), `"v1"`, none),
		customResource("hop.example.com", "v1", "hops", "Hop", "short", `{"ip":"Not A Short_Name"}`),
		definitionOf("stales", "Stale", "stale.example.com", versionOf("v1", true, true, open), `"v1beta1","v1"`, none),
		customResource("stale.example.com", "v1beta1", "stales", "Stale", "old", `{"b":1}`),
		customResource("stale.example.com", "v1", "stales", "Stale", "new", `{"b":1}`),
	},
		want: []string{
			"v1.34.4: frozen up CSIDriver tokenless .spec.serviceAccountTokenInSecrets",
			"v1.34.4: lost back CSIDriver quiet .spec.serviceAccountTokenInSecrets",
			"v1.34.4: lost back CSIDriver tokenless .spec.serviceAccountTokenInSecrets",
			"v1.34.4: means-something-else up ClusterRole execs .rules",
			"v1.34.4: means-something-else back Deployment rules .spec.template.spec.containers[].restartPolicyRules",
			"v1.34.4: hidden up CSIDriver quiet .spec.serviceAccountTokenInSecrets",
			"v1.34.4: hidden up CSIDriver tokenless .spec.serviceAccountTokenInSecrets",
		},
		already: []string{
			"undecodable Stale old",
			"not-served MutatingAdmissionPolicy alpha",
			"not-served PodCertificateRequest alpha",
			"frozen CronJob panics",
			"frozen CustomResourceDefinition stales.stale.example.com .status.storedVersions[]",
			"frozen Deployment tolerant .spec.template.spec.tolerations[].operator",
		},
	}
}

// certificateRequests: The alpha version stays, and the kind is no longer in it.
func certificateRequests() injectedCase {
	return injectedCase{releases: "kube-apiserver@v1.34.4..v1.35.4", flags: "--feature-gates=PodCertificateRequest=true,ClusterTrustBundle=true,ClusterTrustBundleProjection=true\n--runtime-config=certificates.k8s.io/v1alpha1=true\n", put: []injection{
		{"podcertificaterequests/space-01/alpha", header("certificates.k8s.io/v1alpha1", "PodCertificateRequest", "space-01", "alpha") + `"spec":{"signerName":"example.com/s","podName":"p","podUID":"11111111-2222-3333-4444-555555555555","serviceAccountName":"s","serviceAccountUID":"11111111-2222-3333-4444-555555555555","nodeName":"n","nodeUID":"11111111-2222-3333-4444-555555555555","maxExpirationSeconds":86400,"pkixPublicKey":"eA==","proofOfPossession":"eA=="},"status":{}}`},
		{"clustertrustbundles/alpha", header("certificates.k8s.io/v1alpha1", "ClusterTrustBundle", "", "alpha") + `"spec":{"trustBundle":"x"}}`},
	},
		want: []string{
			"v1.34.4: not-served up PodCertificateRequest alpha",
		},
	}
}

// classicDRA: 1.32 has no classic DRA, and stores claims in a version that 1.31 does not know.
func classicDRA() injectedCase {
	return injectedCase{releases: "kube-apiserver@v1.31.0..v1.33.13", flags: "--feature-gates=DynamicResourceAllocation=true,DRAControlPlaneController=true,CoordinatedLeaderElection=true\n--runtime-config=resource.k8s.io/v1alpha3=true,coordination.k8s.io/v1alpha1=true\n", put: []injection{
		{"podschedulingcontexts/space-01/classic", header("resource.k8s.io/v1alpha3", "PodSchedulingContext", "space-01", "classic") + `"spec":{"selectedNode":"n"},"status":{}}`},
		{"resourceclaims/space-01/classic", header("resource.k8s.io/v1alpha3", "ResourceClaim", "space-01", "classic") + `"spec":{"devices":{"requests":[{"name":"a","deviceClassName":"x","allocationMode":"ExactCount","count":1}]},"controller":"classic.example.com"},"status":{}}`},
		{"resourceclaims/space-01/near", header("resource.k8s.io/v1alpha3", "ResourceClaim", "space-01", "near") + `"spec":{"devices":{"requests":[{"name":"a","deviceClassName":"x","allocationMode":"ExactCount","count":1}]}},"status":{}}`},
		{"statefulsets/space-01/named", header("apps/v1", "StatefulSet", "space-01", "named") + `"spec":{"replicas":0,"serviceName":"Bad_Name","selector":{"matchLabels":{"a":"b"}},"template":` + templateOf("", "") + `,"podManagementPolicy":"OrderedReady","updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":0}}},"status":{"replicas":0,"availableReplicas":0}}`},
	},
		want: []string{
			"v1.31.0: not-ready up   --feature-gates=DRAControlPlaneController",
			"v1.31.0: not-ready up   --runtime-config=coordination.k8s.io/v1alpha1",
			"v1.31.0: undecodable back ResourceClaim classic",
			"v1.31.0: undecodable back ResourceClaim near",
			"v1.31.0: not-served up PodSchedulingContext classic",
			"v1.31.0: lost up ResourceClaim classic .spec.controller",
		},
		already: []string{
			"frozen StatefulSet named .spec.template.spec.subdomain",
		},
		deleted: []string{
			"APIService v1beta3.flowcontrol.apiserver.k8s.io",
		},
	}
}
