package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// podFormat is a Pod as servers store it.
const podFormat = `"containers":[{"name":"c","image":"i","terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always","resources":{}%s}],"restartPolicy":%q,"terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler"%s`

// podSpec is the spec of a Pod, with more of its container and of itself.
func podSpec(policy, container, more string) string {
	return "{" + fmt.Sprintf(podFormat, container, policy, more) + "}"
}

// deployment is a Deployment without Pods.
func deployment(space, name, container, more string) injection {
	return injection{"deployments/" + space + "/" + name, header("apps/v1", "Deployment", space, name) + `"spec":{"replicas":0,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":` + podSpec("Always", container, more) + `},"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":"25%"}},"revisionHistoryLimit":10,"progressDeadlineSeconds":600},"status":{}}`}
}

// podOf is a Pod with more of its container, spec and status.
func podOf(space, name, container, more, status string) injection {
	return injection{"pods/" + space + "/" + name, header("v1", "Pod", space, name) + `"spec":` + podSpec("Always", container, more) + `,"status":{"phase":"Pending","qosClass":"BestEffort"` + status + `}}`}
}

// namespace is a Namespace with more labels.
func namespace(name, labels string) injection {
	h := header("v1", "Namespace", "", name)
	h = strings.Replace(h, `"annotations"`, `"labels":{"kubernetes.io/metadata.name":"`+name+`"`+labels+`},"annotations"`, 1)
	return injection{"namespaces/" + name, h + `"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}}`}
}

// definitionOf is a definition with these versions.
func definitionOf(plural, kind, group, versions, stored, conversion string) injection {
	return injection{"apiextensions.k8s.io/customresourcedefinitions/" + plural + "." + group,
		header("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", plural+"."+group) + fmt.Sprintf(`"spec":{"group":%q,"scope":"Namespaced","names":{"plural":%q,"singular":%q,"kind":%q,"listKind":%q},"conversion":%s,"versions":[%s]},
"status":{"acceptedNames":{"plural":%[2]q,"singular":%[3]q,"kind":%[4]q,"listKind":%[5]q},"storedVersions":[%[8]s],"conditions":[{"type":"NamesAccepted","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"NoConflicts","message":"no conflicts found"},{"type":"Established","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"InitialNamesAccepted","message":"the initial names have been accepted"}]}}`,
			group, plural, strings.ToLower(kind), kind, kind+"List", conversion, versions, stored)}
}

// versionOf is a version of a definition, with the schema of its spec.
func versionOf(name string, served, storage bool, spec string) string {
	return fmt.Sprintf(`{"name":%q,"served":%v,"storage":%v,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":%s}}}}`, name, served, storage, spec)
}

// customResource is one that is stored in a version.
func customResource(group, version, plural, kind, name, spec string) injection {
	return injection{group + "/" + plural + "/space-01/" + name, header(group+"/"+version, kind, "space-01", name) + `"spec":` + spec + `}`}
}

// revision is what a controller has kept of a template, with its fields in the order in which a controller writes them.
func revision(kind, owner, name, template string) injection {
	h := header("apps/v1", "ControllerRevision", "space-01", name)
	h = strings.Replace(h, `"annotations"`, fmt.Sprintf(`"labels":{"a":"b"},"ownerReferences":[{"apiVersion":"apps/v1","kind":%q,"name":%q,"uid":"11111111-2222-3333-4444-%012x","controller":true,"blockOwnerDeletion":true}],"annotations"`, kind, owner, len(owner)), 1)
	var kept any
	if err := json.Unmarshal([]byte(template), &kept); err != nil {
		panic(err)
	}
	sorted, _ := json.Marshal(kept) // it came from JSON
	return injection{"controllerrevisions/space-01/" + name, h + `"data":{"spec":{"template":` + string(sorted) + `}},"revision":1}`}
}

// boundPolicy is an admission policy with its binding.
func boundPolicy(name, failure, rules, expression string) []injection {
	return []injection{
		{"validatingadmissionpolicies/" + name, header("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "", name) + `"spec":{"failurePolicy":"` + failure + `","matchConstraints":{"matchPolicy":"Equivalent","namespaceSelector":{},"objectSelector":{},"resourceRules":[` + rules + `]},"validations":[{"expression":` + fmt.Sprintf("%q", expression) + `}]},"status":{}}`},
		{"validatingadmissionpolicybindings/" + name, header("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", "", name) + `"spec":{"policyName":"` + name + `","validationActions":["Deny"]}}`},
	}
}

// configMaps is the rule of a policy about ConfigMaps.
const configMaps = `{"apiGroups":[""],"apiVersions":["v1"],"resources":["configmaps"],"operations":["CREATE","UPDATE"],"scope":"*"}`

// configMap is a ConfigMap.
func configMap(space, name string) injection {
	return injection{"configmaps/" + space + "/" + name, header("v1", "ConfigMap", space, name) + `"data":{"a":"b"}}`}
}

// templateOf is the template of a workload, with more of its container and spec.
func templateOf(container, more string) string {
	return `{"metadata":{"labels":{"a":"b"}},"spec":` + podSpec("Always", container, more) + `}`
}

// expressed are two definitions with a rule each, one of which only the newer release compiles, and their custom resources.
func expressed(rule string) []injection {
	schema := func(rule string) string {
		return fmt.Sprintf(`{"type":"object","properties":{"a":{"type":"array","maxItems":5,"items":{"type":"string","maxLength":9}},"n":{"type":"integer"}},"x-kubernetes-validations":[{"rule":%q}]}`, rule)
	}
	const none = `{"strategy":"None"}`
	return []injection{
		definitionOf("sorts", "Sort", "cel.example.com", versionOf("v1", true, true, schema(rule)), `"v1"`, none),
		customResource("cel.example.com", "v1", "sorts", "Sort", "one", `{"a":["x","y"],"n":1}`),
		definitionOf("plains", "Plain", "cel.example.com", versionOf("v1", true, true, schema("self.a.size() < 4")), `"v1"`, none),
		customResource("cel.example.com", "v1", "plains", "Plain", "one", `{"a":["x","y"],"n":1}`),
	}
}

// daemonSet is a DaemonSet with more of its template.
func daemonSet(name, more string) injection {
	return injection{"daemonsets/space-01/" + name, header("apps/v1", "DaemonSet", "space-01", name) + `"spec":{"selector":{"matchLabels":{"a":"b"}},"template":` + templateOf("", more) + `,"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":1,"maxSurge":0}},"revisionHistoryLimit":10},"status":{"currentNumberScheduled":0,"numberMisscheduled":0,"desiredNumberScheduled":0,"numberReady":0}}`}
}
