package conformance_test

import (
	"strconv"
	"strings"
)

// side translates a kind: sequences are written for Frobber, and a ReplicaSet is its
// counterpart on the kube-apiserver.
type side struct {
	groupVersion, kind, resource string
	height, rest                 string // the field, and the rest of a valid spec
	// body translates an object or a patch of one, and ops a JSON patch, for the side.
	body func(v any, whole bool) any
	ops  func([]any) []any
	// The other functions translate back: a spec, the path of an owned field (nil for one that
	// a Frobber does not have), and a server's message.
	spec  func(map[string]any) map[string]any
	owned func([]string) []string
	text  *strings.Replacer
}

// asFrobber translates nothing.
func asFrobber() side {
	return side{
		groupVersion: "frobbing.example.com/v6", kind: "Frobber", resource: "frobbers", height: "height", rest: `"param":"p"`,
		body:  func(v any, _ bool) any { return v },
		ops:   func(ops []any) []any { return ops },
		spec:  func(s map[string]any) map[string]any { return s },
		owned: func(p []string) []string { return p },
		text:  strings.NewReplacer(),
	}
}

// asReplicaSet maps
//
//	spec.height        spec.minReadySeconds
//	spec.param         spec.template.spec.nodeName
//	spec.replicas      spec.replicas
//	spec.parts[]       spec.template.spec.initContainers[], a list keyed by name
//	spec.parts[].size  spec.template.spec.initContainers[].workingDir, as text
//	status             status: replicas and conditions, a list keyed by type
//
// and adds what a ReplicaSet must have besides, always the same.
func asReplicaSet() side {
	return side{
		groupVersion: "apps/v1", kind: "ReplicaSet", resource: "replicasets", height: "minReadySeconds",
		rest: `"selector":{"matchLabels":{"app":"x"}},"template":{"metadata":{"labels":{"app":"x"}},"spec":{"nodeName":"p","containers":[{"name":"m","image":"i"}]}}`,
		body: replicaSetBody, ops: replicaSetOps, spec: frobberSpec, owned: frobberPath,
		text: strings.NewReplacer("replicasets.apps", "frobbers.frobbing.example.com", "ReplicaSet.apps", "Frobber.frobbing.example.com",
			"apps/v1", "frobbing.example.com/v6", "replicasets", "frobbers", "ReplicaSet", "Frobber", `"apps"`, `"frobbing.example.com"`,
			"spec.template.spec.initContainers", "spec.parts", "spec.minReadySeconds", "spec.height", "spec.template.spec.nodeName", "spec.param",
			"image:i ", "", "workingDir", "size", "minReadySeconds", "height"),
	}
}

// replicaSetBody translates an object, or a patch of one; whole means that it must be valid by
// itself.
func replicaSetBody(v any, whole bool) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	into := map[string]any{}
	for key, value := range m {
		switch {
		case key == "spec":
			into[key] = replicaSetSpec(value, whole)
		case key == "apiVersion" && value == asFrobber().groupVersion:
			into[key] = asReplicaSet().groupVersion
		case key == "kind" && value == asFrobber().kind:
			into[key] = asReplicaSet().kind
		default:
			into[key] = value
		}
	}
	return into
}

func replicaSetSpec(v any, whole bool) any {
	spec, ok := v.(map[string]any)
	if !ok {
		return v
	}
	into, pod := map[string]any{}, map[string]any{}
	for key, value := range spec {
		switch key {
		case "height":
			into["minReadySeconds"] = value
		case "param":
			pod["nodeName"] = value
		case "parts":
			pod["initContainers"] = each(value, container)
		case "$setElementOrder/parts":
			pod["$setElementOrder/initContainers"] = value
		default:
			into[key] = value
		}
	}
	template := map[string]any{"spec": pod}
	if whole {
		labels := map[string]any{"app": "x"}
		into["selector"] = map[string]any{"matchLabels": labels}
		template["metadata"] = map[string]any{"labels": labels}
		pod["containers"] = []any{map[string]any{"name": "main", "image": "i"}}
	}
	if len(pod) > 0 {
		into["template"] = template
	}
	return into
}

func each(v any, f func(any) any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	var into = []any{}
	for _, e := range list {
		into = append(into, f(e))
	}
	return into
}

// container adds the image, which every container requires.
func container(v any) any {
	part, ok := v.(map[string]any)
	if !ok {
		return v
	}
	into := map[string]any{}
	for key, value := range part {
		if key == "size" {
			key, value = "workingDir", workingDir(value)
		}
		into[key] = value
	}
	if part["$patch"] == nil && part["name"] != nil {
		into["image"] = "i"
	}
	return into
}

// workingDir keeps a right type right, a wrong one wrong, and null null.
func workingDir(size any) any {
	switch s := size.(type) {
	case float64:
		return strconv.Itoa(int(s))
	case string:
		return len(s)
	}
	return size
}

// replicaSetOps translates the operations of a JSON patch.
func replicaSetOps(ops []any) []any {
	var into []any
	for _, op := range ops {
		m, ok := op.(map[string]any)
		if !ok {
			into = append(into, op)
			continue
		}
		translated := map[string]any{}
		for key, value := range m {
			switch key {
			case "path", "from":
				translated[key] = pointer(value)
			case "value":
				translated[key] = pointed(m["path"], value)
			default:
				translated[key] = value
			}
		}
		into = append(into, translated)
	}
	return into
}

func pointer(v any) any {
	path, ok := v.(string)
	if !ok {
		return v
	}
	return strings.NewReplacer("/spec/height", "/spec/minReadySeconds", "/spec/param", "/spec/template/spec/nodeName",
		"/spec/parts", "/spec/template/spec/initContainers", "/size", "/workingDir").Replace(path)
}

// pointed translates a value by its path.
func pointed(path, value any) any {
	at, _ := path.(string)
	rest, ofParts := strings.CutPrefix(at, "/spec/parts")
	switch {
	case ofParts && rest == "":
		return each(value, container)
	case ofParts && strings.HasSuffix(rest, "/size"):
		return workingDir(value)
	case ofParts && strings.Count(rest, "/") == 1:
		return container(value)
	}
	return value
}

// frobberSpec translates a ReplicaSet's spec to a Frobber's, without fields that a Frobber does
// not have.
func frobberSpec(s map[string]any) map[string]any {
	into := map[string]any{}
	move := func(from map[string]any, key, as string) {
		if value, ok := from[key]; ok {
			into[as] = value
		}
	}
	move(s, "minReadySeconds", "height")
	move(s, "replicas", "replicas")
	template, _ := s["template"].(map[string]any)
	pod, _ := template["spec"].(map[string]any)
	move(pod, "nodeName", "param")
	if list, ok := pod["initContainers"]; ok {
		into["parts"] = each(list, part)
	}
	return into
}

func part(v any) any {
	c := v.(map[string]any)
	into := map[string]any{"name": c["name"]}
	if text, ok := c["workingDir"].(string); ok {
		size, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return c // it was written without a size
		}
		into["size"] = size
	}
	return into
}

// frobberPath translates the path of an owned field; nil for one that a Frobber does not have.
func frobberPath(path []string) []string {
	if path[0] != "f:spec" || len(path) == 1 {
		return path
	}
	switch rest := strings.Join(path[1:], " "); {
	case rest == "f:minReadySeconds":
		return []string{"f:spec", "f:height"}
	case rest == "f:replicas":
		return path
	case rest == "f:template f:spec f:nodeName":
		return []string{"f:spec", "f:param"}
	case strings.HasPrefix(rest, "f:template f:spec f:initContainers"):
		if below := partPath(path[4:]); below != nil || len(path) == 4 {
			return append([]string{"f:spec", "f:parts"}, below...)
		}
	}
	return nil
}

// partPath translates the path below the list: an element, or a field of one.
func partPath(path []string) []string {
	if len(path) < 2 || path[1] == "." || path[1] == "f:name" {
		return path
	}
	if path[1] == "f:workingDir" {
		return []string{path[0], "f:size"}
	}
	return nil
}
