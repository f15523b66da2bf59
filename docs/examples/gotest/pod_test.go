package gotest

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/sim/skewtest"
)

// TestPod runs typed objects through an upgrade of Kubernetes: nothing of a Pod is lost that
// both releases know.
func TestPod(t *testing.T) {
	env := skewtest.Start(t, skewtest.Old("kube-apiserver@v1.36.3"), skewtest.New("kube-apiserver@v1.37.0"))
	pod := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		Spec:     corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "registry.example/web:1"}}},
	}
	s := skewtest.Scenario("pod").Journey(skewtest.Upgrade, skewtest.Rollback).Object("pod", skewtest.Bystander(pod))
	s.Create("pod", skewtest.OldTyped, skewtest.ViaOld)
	s.Touch("pod").Clients(skewtest.OldTyped, skewtest.NewTyped, skewtest.Dynamic).Verbs(skewtest.VerbPut, skewtest.VerbMergePatch).AtEveryStage()
	s.Touch("pod").Clients(skewtest.OldApply).Verbs(skewtest.VerbApply).AtEveryStage()
	env.Run(t, s)
}

// TestScenarioFile runs a scenario of skewsim's catalogue.
func TestScenarioFile(t *testing.T) {
	env := skewtest.Start(t, skewtest.Old("frobber@1.0"), skewtest.New("frobber@1.1"))
	env.RunFile(t, "frobber/add-field")
}
