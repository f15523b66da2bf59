package main

import (
	"slices"
	"strings"
)

// backwardCases are cases of a rollback, and of values that no server stores so, by their names.
func backwardCases() map[string]injectedCase {
	return map[string]injectedCase{
		"back to 1.33":    backTo133(),
		"back to 1.36":    backTo136(),
		"back to 1.35":    backTo135(),
		"back to 1.34":    backTo134(),
		"odd values":      oddValues(),
		"restarting pods": restartingPods(),
	}
}

// backTo133: 1.33 does not compile a function of CEL, whoever asks: a definition, a custom resource or a policy.
func backTo133() injectedCase {
	return injectedCase{releases: "kube-apiserver@v1.33.13..v1.34.4", rollback: true, put: slices.Concat(
		expressed("self.a.distinct().size() == self.a.size()"),
		boundPolicy("distinct", "Fail", configMaps, "object.metadata.?labels.orValue({}).map(k, k).distinct().size() < 100"),
		boundPolicy("ignoring", "Ignore", strings.Replace(configMaps, "configmaps", "secrets", 1), "object.metadata.?labels.orValue({}).map(k, k).distinct().size() < 100"),
		[]injection{
			configMap("space-01", "judged"),
			podOf("space-01", "host", "", `,"hostnameOverride":"a.example.com"`, ""),
			deployment("space-01", "file-key", `,"env":[{"name":"A","valueFrom":{"fileKeyRef":{"volumeName":"v","path":"p","key":"k","optional":false}}}]`, `,"volumes":[{"name":"v","emptyDir":{}}]`),
			{"servicecidrs/more", header("networking.k8s.io/v1", "ServiceCIDR", "", "more") + `"spec":{"cidrs":["10.98.0.0/16"]},"status":{}}`},
			deployment("space-01", "swap", `,"lifecycle":{"stopSignal":"SIGUSR1"}`, `,"os":{"name":"linux"}`),
			{"certificatesigningrequests/pcr", header("certificates.k8s.io/v1alpha1", "ClusterTrustBundle", "", "pcr") + `"spec":{"trustBundle":"x"}}`},
		},
	),
		want: []string{
			"v1.33.13: not-served back DeviceClass deviceclass-28",
			"v1.33.13: not-served back ResourceClaim resourceclaim-29",
			"v1.33.13: not-served back ResourceClaimTemplate resourceclaimtemplate-30",
			"v1.33.13: not-served back ResourceSlice resourceslice-31",
			"v1.33.13: not-served back VolumeAttributesClass volumeattributesclass-38",
			"v1.33.13: frozen back CustomResourceDefinition sorts.cel.example.com .spec",
			"v1.33.13: frozen back Deployment file-key .spec.template.spec.containers[].env[].valueFrom",
			"v1.33.13: frozen back Sort one .spec",
			"v1.33.13: lost back Pod host .spec.hostnameOverride",
			"v1.33.13: means-something-else back ConfigMap kube-apiserver-legacy-service-account-token-tracking",
			"v1.33.13: means-something-else back ConfigMap judged",
			"v1.33.13: means-something-else back ConfigMap configmap-39",
			"v1.33.13: frozen back ValidatingAdmissionPolicy distinct .spec.validations[].expression",
			"v1.33.13: frozen back ValidatingAdmissionPolicy ignoring .spec.validations[].expression",
		},
		already: []string{
			"undecodable ClusterTrustBundle pcr",
			"frozen Deployment file-key .spec.template.spec.containers[].env[].valueFrom",
		},
		deleted: []string{
			"APIService v1.resource.k8s.io",
		},
	}
}

// backTo136: 1.36 does not know what 1.37 has stored, refuses one strategy, and takes fewer sysctls.
func backTo136() injectedCase {
	return injectedCase{releases: "kube-apiserver@v1.36.3..v1.37.0", rollback: true, put: slices.Concat(
		expressed("self.a.includes('x')"),
		[]injection{
			namespace("baseline", `,"pod-security.kubernetes.io/enforce":"baseline"`),
			deployment("baseline", "sysctl", "", `,"securityContext":{"sysctls":[{"name":"net.ipv4.tcp_notsent_lowat","value":"1"}]}`),
			{"statefulsets/space-01/recreate", header("apps/v1", "StatefulSet", "space-01", "recreate") + `"spec":{"replicas":0,"serviceName":"s","selector":{"matchLabels":{"a":"b"}},"template":` + templateOf("", "") + `,"podManagementPolicy":"OrderedReady","updateStrategy":{"type":"Recreate"}},"status":{"replicas":0,"availableReplicas":0}}`},
			deployment("space-01", "bind", `,"volumeMounts":[{"name":"v","mountPath":"/x","bindMountOptions":["noexec"]}]`, `,"volumes":[{"name":"v","emptyDir":{}}]`),
			deployment("space-01", "grpc", `,"livenessProbe":{"grpc":{"port":1,"service":"","mode":"TLS"},"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3}`, ""),
			{"csinodes/ill", header("storage.k8s.io/v1", "CSINode", "", "ill") + `"spec":{"drivers":[{"name":"d.example.com","nodeID":"n","topologyKeys":null}]},"status":{"storageHealth":[{"name":"d.example.com","healthConditions":[{"status":"StorageDegraded","reason":"Because","message":"x"}]}]}}`},
			{"csinodes/well", header("storage.k8s.io/v1", "CSINode", "", "well") + `"spec":{"drivers":[{"name":"d.example.com","nodeID":"n","topologyKeys":null}]}}`},
			{"persistentvolumeclaims/space-01/unused", header("v1", "PersistentVolumeClaim", "space-01", "unused") + `"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}},"volumeMode":"Filesystem"},"status":{"phase":"Pending","healthStatus":{"healthConditions":[{"reason":"Because","status":"VolumeDegraded"}]}}}`},
			{"workloads/space-01/newer", header("scheduling.k8s.io/v1beta1", "Workload", "space-01", "newer") + `"spec":{"podGroupTemplates":[{"name":"g","schedulingPolicy":{"basic":{}}}]}}`},
			{"jobs/space-01/gang", header("batch/v1", "Job", "space-01", "gang") + `"spec":{"parallelism":1,"completions":1,"backoffLimit":6,"manualSelector":true,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":` + podSpec("Never", "", "") + `},"completionMode":"NonIndexed","suspend":true,"podReplacementPolicy":"TerminatingOrFailed","scheduling":{"schedulingPolicy":{"gang":{"minCount":1}}}},"status":{}}`},
			podOf("space-01", "split-ips", "", "", `,"podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"}]`),
			revision("DaemonSet", "agent", "agent-1", templateOf("", `,"volumes":[{"name":"v","emptyDir":{"mode":448}}]`)),
			daemonSet("agent", `,"volumes":[{"name":"v","emptyDir":{"mode":448}}]`),
		},
	),
		want: []string{
			"v1.36.3: not-served back DeviceTaintRule devicetaintrule-32",
			"v1.36.3: not-served back PodCertificateRequest podcertificaterequest-15",
			"v1.36.3: not-served back StorageVersionMigration storageversionmigration-43",
			"v1.36.3: frozen back CustomResourceDefinition sorts.cel.example.com .spec",
			"v1.36.3: frozen back Deployment sysctl",
			"v1.36.3: frozen back Sort one .spec",
			"v1.36.3: frozen back StatefulSet recreate .spec.updateStrategy",
			"v1.36.3: lost back CSINode ill .status.storageHealth",
			"v1.36.3: lost back DaemonSet agent .spec.template.spec.volumes[].emptyDir.mode",
			"v1.36.3: lost back Deployment bind .spec.template.spec.containers[].volumeMounts[].bindMountOptions",
			"v1.36.3: lost back Deployment grpc .spec.template.spec.containers[].livenessProbe.grpc.mode",
			"v1.36.3: lost back Job gang .spec.scheduling",
			"v1.36.3: lost back PersistentVolumeClaim unused .status.healthStatus",
			"v1.36.3: restarted back DaemonSet agent .spec.template",
		},
		already: []string{
			"not-served Workload newer",
		},
		deleted: []string{
			"APIService v1.storagemigration.k8s.io",
		},
	}
}

// backTo135: 1.35 refuses an empty union, and new pods with a value that it keeps in a template.
func backTo135() injectedCase {
	return injectedCase{releases: "kube-apiserver@v1.35.4..v1.36.3", rollback: true, put: []injection{
		podOf("space-01", "group", "", `,"schedulingGroup":{"podGroupName":"g"}`, ""),
		{"resourceslices/listed", header("resource.k8s.io/v1", "ResourceSlice", "", "listed") + `"spec":{"driver":"d.example.com","pool":{"name":"p","generation":1,"resourceSliceCount":1},"nodeName":"n","devices":[{"name":"a","attributes":{"x":{"strings":["a","b"]}}}]}}`},
		{"resourceslices/plain", header("resource.k8s.io/v1", "ResourceSlice", "", "plain") + `"spec":{"driver":"d.example.com","pool":{"name":"p","generation":1,"resourceSliceCount":1},"nodeName":"n","devices":[{"name":"a","attributes":{"x":{"string":"a"}}}]}}`},
		deployment("space-01", "all", `,"restartPolicy":"Never","restartPolicyRules":[{"action":"RestartAllContainers","exitCodes":{"operator":"In","values":[3]}}]`, ""),
		{"mutatingadmissionpolicies/labels", header("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy", "", "labels") + `"spec":{"failurePolicy":"Fail","reinvocationPolicy":"Never","matchConstraints":{"matchPolicy":"Equivalent","namespaceSelector":{},"objectSelector":{},"resourceRules":[{"apiGroups":["example.org"],"apiVersions":["v1"],"resources":["nothings"],"operations":["CREATE"],"scope":"*"}]},"mutations":[{"patchType":"ApplyConfiguration","applyConfiguration":{"expression":"Object{metadata: Object.metadata{labels: {'x':'y'}}}"}}]}}`},
		{"services/specs/space-01/1svc", header("v1", "Service", "space-01", "1svc") + `"spec":{"ports":[{"port":80,"protocol":"TCP","targetPort":80}],"clusterIP":"None","clusterIPs":["None"],"type":"ClusterIP","sessionAffinity":"None","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack","internalTrafficPolicy":"Cluster"},"status":{"loadBalancer":{}}}`},
		{"csinodes/long", header("storage.k8s.io/v1", "CSINode", "", "long") + `"spec":{"drivers":[{"name":"d.example.com","nodeID":"` + strings.Repeat("n", 250) + `","topologyKeys":null}]}}`},
		{"minions/declares", header("v1", "Node", "", "declares") + `"spec":{},"status":{"declaredFeatures":["A"]}}`},
	},
		want: []string{
			"v1.35.4: not-served back MutatingAdmissionPolicy labels",
			"v1.35.4: not-served back MutatingAdmissionPolicy mutatingadmissionpolicy-0",
			"v1.35.4: not-served back MutatingAdmissionPolicyBinding mutatingadmissionpolicybinding-1",
			"v1.35.4: frozen back Deployment all .spec.template.spec.containers[].restartPolicyRules[].action",
			"v1.35.4: frozen back ResourceSlice listed .spec.devices[].attributes",
			"v1.35.4: lost back Pod group .spec.schedulingGroup",
		},
	}
}

// backTo134: 1.34 refuses an operator, and its controllers replace pods whose template lacks a field.
func backTo134() injectedCase {
	return injectedCase{releases: "kube-apiserver@v1.34.4..v1.35.4", rollback: true, put: []injection{
		podOf("space-01", "tolerant", "", `,"tolerations":[{"key":"a","operator":"Gt","value":"5"}]`, ""),
		podOf("space-01", "workload", "", `,"workloadRef":{"name":"w","podGroup":"g"}`, ""),
		{"csidrivers/quiet", header("storage.k8s.io/v1", "CSIDriver", "", "quiet") + `"spec":{"attachRequired":true,"podInfoOnMount":false,"fsGroupPolicy":"ReadWriteOnceWithFSType","volumeLifecycleModes":["Persistent"],"storageCapacity":false,"tokenRequests":[{"audience":"a"}],"requiresRepublish":false,"seLinuxMount":false,"serviceAccountTokenInSecrets":true}}`},
		podOf("space-01", "cert", "", `,"volumes":[{"name":"v","projected":{"defaultMode":420,"sources":[{"podCertificate":{"signerName":"example.com/s","keyType":"ED25519","credentialBundlePath":"p","userAnnotations":{"example.com/a":"b"}}}]}}]`, ""),
		{"statefulsets/space-01/db", header("apps/v1", "StatefulSet", "space-01", "db") + `"spec":{"replicas":0,"serviceName":"s","selector":{"matchLabels":{"a":"b"}},"template":` + templateOf("", `,"workloadRef":{"name":"w","podGroup":"g"}`) + `,"podManagementPolicy":"OrderedReady","updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":0}}},"status":{"replicas":0,"availableReplicas":0}}`},
		revision("StatefulSet", "db", "db-1", templateOf("", `,"workloadRef":{"name":"w","podGroup":"g"}`)),
		deployment("space-01", "image", "", `,"volumes":[{"name":"v","image":{"reference":"r","pullPolicy":"Always"}}]`),
	},
		want: []string{
			"v1.34.4: frozen back Pod tolerant .spec.tolerations[].operator",
			"v1.34.4: lost back CSIDriver quiet .spec.serviceAccountTokenInSecrets",
			"v1.34.4: lost back Pod cert .spec.volumes[].projected.sources[].podCertificate.userAnnotations",
			"v1.34.4: lost back Pod workload .spec.workloadRef",
			"v1.34.4: lost back StatefulSet db .spec.template.spec.workloadRef",
			"v1.34.4: restarted back StatefulSet db .spec.template",
			"v1.34.4: means-something-else back Deployment image .spec.template.spec.volumes[].image",
		},
	}
}

// oddValues: Values and keys that no server has written are broken for both releases alike.
func oddValues() injectedCase {
	return injectedCase{releases: "kube-apiserver@v1.36.3..v1.37.0", put: []injection{
		{"configmaps/space-01/empty", ""},
		{"foos/space-01/x", header("foo.example.com/v1", "Foo", "space-01", "x") + `"spec":{}}`},
		{"configmaps/space-01/Upper_Case", header("v1", "ConfigMap", "space-01", "Upper_Case") + `"data":{"a":"b"}}`},
		{"configmaps/space-01/latin-\xe9", header("v1", "ConfigMap", "space-01", "latin") + `"data":{"a":"b"}}`},
		{"configmaps/space-01/wrong-kind", header("v1", "Secret", "space-01", "wrong-kind") + `"data":{"a":"Yg=="},"type":"Opaque"}`},
		{"configmaps/space-01/cycle", strings.Replace(header("v1", "ConfigMap", "space-01", "cycle"), `"annotations"`, `"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"cycle2","uid":"11111111-2222-3333-4444-000000000006"}],"annotations"`, 1) + `"data":{"a":"b"}}`},
		{"configmaps/space-01/cycle2", strings.Replace(header("v1", "ConfigMap", "space-01", "cycle2"), `"annotations"`, `"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"cycle","uid":"11111111-2222-3333-4444-000000000005"}],"annotations"`, 1) + `"data":{"a":"b"}}`},
		{"configmaps/space-01/managed", strings.Replace(header("v1", "ConfigMap", "space-01", "managed"), `"annotations"`, `"managedFields":[{"manager":"m","operation":"Update","apiVersion":"v9alpha1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:gone":{}}}},{"manager":"n","operation":"Apply","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV9","fieldsV1":{"f:data":{}}}],"annotations"`, 1) + `"data":{"a":"b"}}`},
		{"configmaps/space-01/biggest", header("v1", "ConfigMap", "space-01", "biggest") + `"data":{"a":"` + strings.Repeat("x", 1<<20-4) + `"}}`},
		{"configmaps/space-01/annotated", strings.Replace(header("v1", "ConfigMap", "space-01", "annotated"), `"annotations":{`, `"annotations":{"example.com/long":"`+strings.Repeat("y", 256<<10)+`",`, 1) + `"data":{"a":"b"}}`},
		{"configmaps/space-01/no-uid", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"no-uid","namespace":"space-01"},"data":{"a":"b"}}`},
		{"configmaps/space-01/foreground", doomed(header("v1", "ConfigMap", "space-01", "foreground"), "foregroundDeletion") + `"data":{"a":"b"}}`},
		{"namespaces/leaving", strings.Replace(doomed(header("v1", "Namespace", "", "leaving"), "example.com/x"), `"annotations"`, `"labels":{"kubernetes.io/metadata.name":"leaving"},"annotations"`, 1) + `"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Terminating"}}`},
		configMap("leaving", "inside"),
		{"events/space-01/ev", header("v1", "Event", "space-01", "ev") + `"involvedObject":{"kind":"Pod","namespace":"space-01","name":"x"},"reason":"R","message":"m","source":{"component":"c"},"firstTimestamp":"2026-01-01T00:00:00Z","lastTimestamp":"2026-01-01T00:00:00Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"","reportingInstance":""}`},
		{"apiregistration.k8s.io/apiservices/v1.far.example.com", header("apiregistration.k8s.io/v1", "APIService", "", "v1.far.example.com") + `"spec":{"group":"far.example.com","version":"v1","groupPriorityMinimum":100,"versionPriority":100,"insecureSkipTLSVerify":true,"service":{"namespace":"space-01","name":"far","port":443}}}`},
		{"far.example.com/things/space-01/kept", header("far.example.com/v1", "Thing", "space-01", "kept") + `"spec":{}}`},
		{"secrets/space-01/tls", header("v1", "Secret", "space-01", "tls") + `"type":"kubernetes.io/tls","data":{"a":"Yg=="}}`},
		deployment("space-01", "near", "", ""),
		{"ranges/serviceips", `{"kind":"RangeAllocation","apiVersion":"v1","metadata":{"creationTimestamp":null},"range":"10.0.0.0/24","data":"AAAA"}`},
	},
		already: []string{
			"undecodable ConfigMap wrong-kind",
			"not-served Foo x",
			"not-served Thing kept",
			"frozen ConfigMap Upper_Case .metadata.name",
			"frozen ConfigMap annotated .metadata.annotations",
			"frozen ConfigMap empty",
			"frozen ConfigMap empty .metadata.name",
			"frozen ConfigMap latin-�",
			"frozen ConfigMap managed",
			"frozen ConfigMap no-uid",
			"frozen Secret tls .data",
		},
	}
}

// restartingPods: What 1.36 hides of a template, 1.37 shows: it is another one than the pods were made from.
func restartingPods() injectedCase {
	return injectedCase{releases: "kube-apiserver@v1.36.3..v1.37.0", put: []injection{
		daemonSet("agent", `,"volumes":[{"name":"v","emptyDir":{"mode":448}}]`), revision("DaemonSet", "agent", "agent-1", templateOf("", `,"volumes":[{"name":"v","emptyDir":{}}]`)),
		daemonSet("near", `,"volumes":[{"name":"v","emptyDir":{}}]`), revision("DaemonSet", "near", "near-1", templateOf("", `,"volumes":[{"name":"v","emptyDir":{}}]`)),
	},
		want: []string{
			"v1.36.3: restarted up DaemonSet agent .spec.template",
			"v1.36.3: hidden up DaemonSet agent .spec.template.spec.volumes[].emptyDir.mode",
			"v1.36.3: lost back DaemonSet agent .spec.template.spec.volumes[].emptyDir.mode",
		},
	}
}
