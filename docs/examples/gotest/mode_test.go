package gotest

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/sim/skewtest"
)

// plainPod does not use the new field, and withMode does.
var plainPod = &corev1.Pod{
	TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
	Spec: corev1.PodSpec{
		Containers: []corev1.Container{{Name: "web", Image: "registry.example/web:1"}},
		Volumes:    []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
	},
}

// withMode sets the field without a type that has it, as is needed for a field in development.
func withMode(t *testing.T) *unstructured.Unstructured {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(plainPod)
	if err != nil {
		t.Fatal(err)
	}
	delete(content, "status")
	volumes := []any{map[string]any{"name": "data", "emptyDir": map[string]any{"mode": 0o700}}}
	content["spec"].(map[string]any)["volumes"] = volumes
	return &unstructured.Unstructured{Object: content}
}

func TestMode(t *testing.T) {
	const mode = `.spec.volumes[name="data"].emptyDir.mode`
	env := skewtest.Start(t, skewtest.Old("kube-apiserver@v1.36.3"), skewtest.New("kube-apiserver@v1.37.2"))
	s := skewtest.Scenario("mode").NewGate("EmptyDirVolumeMode", true)
	s.Object("pod", skewtest.Treated(withMode(t)), skewtest.Bystander(plainPod))
	s.Create("pod", skewtest.NewTyped, skewtest.ViaNew)
	s.Touch("pod").Clients(skewtest.OldTyped, skewtest.Dynamic).Verbs(skewtest.VerbPut).AtEveryStage()
	s.Touch("pod").Clients(skewtest.OldApply).Verbs(skewtest.VerbApply).AtEveryStage()
	s.Expect(
		skewtest.Impact(skewtest.CheckNothingLost, skewtest.CauseUnknownField).At(mode).Via(skewtest.ViaOld),
		skewtest.Impact(skewtest.CheckResurrection).At(mode).Because("the rollback hides it, and nobody writes the Pod"),
		skewtest.Violation(skewtest.CheckRule5, skewtest.CauseClientOmitted).Via(skewtest.ViaNew).
			Because("old types drop the field, and the new server refuses to change a Pod's spec"),
	)
	env.Run(t, s)
}
