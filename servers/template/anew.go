package template

// Anew removes from an object what a server generates for each new one: of a Job the selector, and the labels of
// its Pods that the selector has.
func Anew(object map[string]any) {
	spec := within(object, "spec")
	if object["kind"] != "Job" || spec["manualSelector"] == true {
		return
	}
	delete(spec, "selector")
	labels := within(spec, "template", "metadata", "labels")
	for _, name := range []string{"controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"} {
		delete(labels, name)
	}
}
