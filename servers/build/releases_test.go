package build

import (
	"slices"
	"testing"
)

func TestCandidatesAreFewAndNew(t *testing.T) {
	for _, patch := range []int{-1, 0, 3, 40} {
		known := []release{{36, 1}, {36, 2}}
		got := candidates(release{36, patch}, known)
		if len(got) < 5 || len(got) > probeMost || slices.Contains(got, known[0]) || slices.Contains(got, known[1]) {
			t.Errorf("patch %d: %v", patch, got)
		}
	}
}

// A staged module has versions of its own, and versions that are no release.
func TestStagedVersions(t *testing.T) {
	s := Source{Path: "k8s.io/client-go", Staged: true}
	if got := s.Version("v1.36.3-rc.0"); got != "v0.36.3-rc.0" {
		t.Errorf("v1.36.3-rc.0 is %s", got)
	}
	got := s.releases([]string{"v0.36.3", "v0.37.0-beta.0", "v1.5.2", "v11.0.0+incompatible", "v0.37.0"})
	if !slices.Equal(got, []release{{36, 3}, {37, 0}}) {
		t.Errorf("releases %v", got)
	}
	whole := Source{Path: "k8s.io/kubernetes"}
	if got := whole.releases([]string{"v0.36.3", "v1.36.3"}); whole.Version("v1.36.3") != "v1.36.3" || !slices.Equal(got, []release{{36, 3}}) {
		t.Errorf("releases %v", got)
	}
}
