package build

import (
	"slices"
	"strings"
	"testing"
)

func TestLDFlags(t *testing.T) {
	got := LDFlags("v1.36.3", "", "2026-07-22T18:07:38Z")
	for _, want := range []string{
		"k8s.io/component-base/version.gitVersion=v1.36.3", "k8s.io/component-base/version.gitMajor=1",
		"k8s.io/component-base/version.gitMinor=36", "k8s.io/component-base/version.gitTreeState=clean",
		"k8s.io/component-base/version.gitCommit=" + unknownCommit,
		"k8s.io/component-base/version.buildDate=2026-07-22T18:07:38Z",
		"k8s.io/client-go/pkg/version.gitVersion=v1.36.3",
	} {
		if i := slices.Index(got, want); i < 1 || got[i-1] != "-X" {
			t.Errorf("-X %s is not in %s", want, got)
		}
	}
	if got := strings.Join(LDFlags("v1.36.3", "af5abeef", ""), " "); !strings.Contains(got, "gitCommit=af5abeef ") || strings.Contains(got, "buildDate") {
		t.Errorf("the module's commit, and no date: %s", got)
	}
}
