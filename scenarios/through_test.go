package scenarios_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/load"
)

// TestReleasesOfAFile: contradictions in a file's releases, each with a similar case that is
// valid.
func TestReleasesOfAFile(t *testing.T) {
	for releases, want := range map[string]string{
		`{pair: kube-apiserver@v1.36.3..v1.37.0}`:                                                  "",
		`{pair: kube-apiserver@v1.37.0..v1.36.3}`:                                                  "releases.pair: the old release v1.37.0 is newer than the new one v1.36.3: swap them",
		`{pair: kube-apiserver@v1.37.0-rc.1..v1.37.0}`:                                             "",
		`{pair: kube-apiserver@v1.37.0..v1.37.0-rc.1}`:                                             "",
		`{pair: frobber@1.0..1.1}`:                                                                 `releases.pair: the pair is of "frobber", and the scenario is for releases of "kube-apiserver": set releases.of`,
		`{of: frobber, pair: frobber@1.9..1.10}`:                                                   "",
		`{of: frobber, pair: frobber@1.10..1.9}`:                                                   "releases.pair: the old release 1.10 is newer than the new one 1.9: swap them",
		`{of: frober, pair: frobber@1.0..1.1}`:                                                     `releases.of: unknown component "frober": did you mean "frobber"?`,
		`{of: etcd}`:                                                                               `releases.of: unknown component "etcd" (components: frobber, kube-apiserver, crd)`,
		`{of: frobber, through: frobber@1.0..1.30}`:                                                "",
		`{of: frobber, through: frobber@1.30..1.0}`:                                                "releases.through: the old release 1.30 is newer than the new one 1.0: swap them",
		`{of: frobber, through: "frobber@1.0,1.1+value,1.3"}`:                                      "",
		`{of: frobber, through: "frobber@1.0,1.3,1.1"}`:                                            "releases.through: the old release 1.3 is newer than the new one 1.1: swap them",
		`{of: frobber, through: frobber@1.0}`:                                                      `releases.through: "frobber@1.0" is not a chain such as frobber@1.0..1.30 or frobber@1.0,1.1,1.3`,
		`{of: frobber, through: frobber@1.0..1.30, pair: frobber@1.4..1.5}`:                        "",
		`{of: frobber, through: frobber@1.4..1.30, pair: frobber@1.3..1.4}`:                        `releases.pair: frobber@1.3 is no release of the chain "frobber@1.4..1.30": name two that it goes through`,
		`{of: frobber, through: "frobber@1.0,1.1,1.3", pair: frobber@1.1..1.3}`:                    "",
		`{of: frobber, through: "frobber@1.0,1.1,1.3", pair: frobber@1.1..1.2}`:                    `releases.pair: frobber@1.2 is no release of the chain "frobber@1.0,1.1,1.3": name two that it goes through`,
		`{through: "kube-apiserver@v1.36.3,v1.37.0"}`:                                              "",
		`{through: "kube-apiserver@v1.36.3,kube-apiserver@v1.37.0"}`:                               "",
		`{through: "kube-apiserver@v1.37.0,v1.36.3"}`:                                              "releases.through: the old release v1.37.0 is newer than the new one v1.36.3: swap them",
		`{of: frobber, through: frobber@1.5..1.9, pair: frobber@1.4..1.3}`:                         "releases.pair: the old release 1.4 is newer than the new one 1.3: swap them",
		`{of: frobber, through: frobber@1.5..1.9, pair: frobber@1.5..1.6, old: "1", new: "< 1.6"}`: `releases.pair: 1.5: the scenario requires frobber 1 as the old release`,
		`{of: fish, pair: module:a.b/c@v0.1.0..v0.2.0}`:                                            "",
		`{of: fish, pair: module:a.b/c@v0.1.0..module:a.b/d@v0.0.1}`:                               "",
		`{of: fish, adapter: fish.yaml}`:                                                           "",
		`{adapter: fish.yaml}`:                                                                     `releases: of is "kube-apiserver", and releases are of a Go module: say of, what its server is called, such as sample-apiserver`,
		`{of: fish, adapter: fish.yaml, pair: kube-apiserver@v1.36.3..v1.37.0}`:                    `releases.pair: "kube-apiserver@v1.36.3..v1.37.0" is not a pair such as module:k8s.io/sample-apiserver@v0.35.4..v0.37.0`,
		`{of: fish, pair: module:a.b/c@v0.2.0..v0.1.0}`:                                            "releases.pair: the old release v0.2.0 is newer than the new one v0.1.0: swap them",
		`{of: fish, old: "< 0.2", pair: module:a.b/c@v0.2.0..v0.3.0}`:                              "releases.pair: v0.2.0: the scenario requires fish < 0.2 as the old release",
		`{of: frobber, through: [{release: frobber@1.0..1.3}]}`:                                    "",
		`{of: frobber, through: [{release: frobber@1.0..1.3, featureGates: {X: true}}]}`:           `releases.through[0]: "frobber@1.0..1.3": a point of a list is one release: list all, or write the whole chain as one text`,
	} {
		_, err := load.FS(fstest.MapFS{
			"s.yaml": {Data: []byte("name: s\nabout: x\nreleases: " + releases + "\nobjects: {x: {bystander: o.yaml}}\nplay: [{create: x}]\n")},
			"o.yaml": {Data: []byte(configMap)},
		}, "s.yaml")
		if want == "" {
			assert.NoError(t, err, releases)
		} else {
			assert.EqualError(t, err, "s.yaml:3: "+want, releases)
		}
	}
}

func TestMatch(t *testing.T) {
	for pattern, want := range map[string][]string{
		"frobber/gate-b*":          {"frobber/gate-beta", "frobber/gate-beta-off"},
		"gate-b*":                  {"frobber/gate-beta", "frobber/gate-beta-off"},
		"frobber/add-field+re[q]*": {"frobber/add-field+required"},
		"kubernetes/q*":            {"kubernetes/quiet"},
	} {
		all, err := load.Match(pattern)
		assert.NoError(t, err)
		assert.ElementsMatch(t, want, all, pattern)
	}
	for _, pattern := range []string{"nosuch*", "frobber/[", "*+nosuch*"} {
		_, err := load.Match(pattern)
		assert.ErrorContains(t, err, "scenario \""+pattern)
	}
}
