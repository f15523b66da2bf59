package template

// Anew removes from an object what a server generates for each new one, or takes in no new one: of a Job the selector,
// and the labels of its Pods that the selector has, of a Service the addresses and ports that are assigned, of a Pod its
// ephemeral containers.
func Anew(object map[string]any) {
	switch {
	case object["kind"] == "Job":
		newJob(within(object, "spec"))
	case object["apiVersion"] == "v1" && object["kind"] == "Service":
		newService(within(object, "spec"))
	case object["apiVersion"] == "v1" && object["kind"] == Made:
		delete(within(object, "spec"), "ephemeralContainers")
	}
}

func newJob(spec map[string]any) {
	if spec["manualSelector"] == true {
		return
	}
	delete(spec, "selector")
	labels := within(spec, "template", "metadata", "labels")
	for _, name := range []string{"controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"} {
		delete(labels, name)
	}
}

// newService leaves the address of a headless Service, which is None.
func newService(spec map[string]any) {
	if spec["clusterIP"] != "None" {
		delete(spec, "clusterIP")
		delete(spec, "clusterIPs")
	}
	delete(spec, "healthCheckNodePort")
	ports, _ := spec["ports"].([]any)
	for i := range ports {
		if port, is := ports[i].(map[string]any); is {
			delete(port, "nodePort")
		}
	}
}
