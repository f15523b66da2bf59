package client

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/skewsim/skewsim/sim/plan"
)

// ClientSideManager is the field manager that kubectl names when it applies on
// the client's side.
const ClientSideManager = "kubectl-client-side-apply"

// lastApplied is the annotation in which kubectl keeps the file that it applied last.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// FirstApplied is the body by which client-side apply creates an object: the
// file, with itself in the annotation.
func FirstApplied(file map[string]any) (Body, error) {
	raw, err := annotated(file)
	return Body{ContentType: JSONContent, Bytes: raw, JSON: raw}, err
}

// Reapplied is the patch of client-side apply: what differs between the file
// with the step's changes and the live object, and what the file no longer has
// although it was applied last. Patch is strategic where the server takes that.
func Reapplied(step plan.Step, file map[string]any, live []byte, merging Merging) (Body, error) {
	all, err := assignments(step)
	if err != nil {
		return Body{}, err
	}
	if file, err = Apply(file, all); err != nil {
		return Body{}, err
	}
	modified, err := annotated(file)
	if err != nil {
		return Body{}, err
	}
	was, err := parse(live)
	if err != nil {
		return Body{}, err
	}
	original := []byte((&unstructured.Unstructured{Object: was}).GetAnnotations()[lastApplied])
	return threeWay(original, modified, live, merging)
}

// threeWay computes the patch with the schema that the server publishes; of a
// kind whose lists nobody knows how to merge, as a JSON merge patch.
func threeWay(original, modified, live []byte, merging Merging) (Body, error) {
	content := types.MergePatchType
	var raw []byte
	var err error
	if merging.Strategic {
		content = types.StrategicMergePatchType
		raw, err = strategicpatch.CreateThreeWayMergePatch(original, modified, live, merging.Meta, true)
	} else {
		raw, err = jsonmergepatch.CreateThreeWayJSONMergePatch(original, modified, live,
			mergepatch.RequireKeyUnchanged("apiVersion"), mergepatch.RequireKeyUnchanged("kind"), mergepatch.RequireMetadataKeyUnchanged("name"))
	}
	if err != nil {
		return Body{}, unfit("no three-way patch can be computed: %w", err)
	}
	return Body{ContentType: string(content), Bytes: raw, JSON: raw}, nil
}

// annotated is the file with the annotation that holds it, without the
// annotation.
func annotated(file map[string]any) ([]byte, error) {
	object := unstructured.Unstructured{Object: runtime.DeepCopyJSON(file)}
	annotations := object.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	delete(annotations, lastApplied)
	object.SetAnnotations(annotations)
	raw, err := encode(object.Object)
	if err != nil {
		return nil, err
	}
	annotations[lastApplied] = string(raw) + "\n" // as kubectl writes it
	object.SetAnnotations(annotations)
	return encode(object.Object)
}
