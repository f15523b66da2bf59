package conformance_test

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/mod/semver"
)

// since returns the differences of an older kube-apiserver from Frobber, which uses the code of
// 1.37.
func since(version string) []difference {
	if semver.Compare(version, "v1.37.0-alpha.0") >= 0 {
		return nil
	}
	return []difference{
		{"before 1.37 errors in an object's metadata are reported twice", levelTwice},
		{"before 1.37 a patch that is no JSON or YAML is refused in the decoder's words", levelBroken},
	}
}

func levelTwice(_, kube *outcome) {
	details := within(kube.Body, "details")
	if causes, ok := details["causes"].([]any); ok {
		details["causes"] = slices.CompactFunc(causes, func(a, b any) bool { return reflect.DeepEqual(a, b) })
	}
}

func levelBroken(frobber, kube *outcome) {
	for _, o := range []*outcome{frobber, kube} {
		body, _ := o.Body.(map[string]any)
		if body["reason"] != "BadRequest" {
			continue
		}
		text := regexp.MustCompile(`^((error decoding patch: )?unexpected end of JSON input|invalid JSON patch)$`).ReplaceAllString(fmt.Sprint(body["message"]), "invalid JSON patch")
		body["message"] = regexp.MustCompile(`^error (decoding YAML: error converting YAML to JSON|encoding patch|decoding (YAML|patch)): `).ReplaceAllString(text, "not decoded: ")
	}
}

// TestOlderDiffers: only the known differences of an older kube-apiserver are ignored.
func TestOlderDiffers(t *testing.T) {
	refused := func(message string, causes ...any) outcome {
		return outcome{Code: 400, Body: map[string]any{"reason": "BadRequest", "message": message, "details": map[string]any{"causes": causes}}}
	}
	one, other := map[string]any{"field": "metadata.uid"}, map[string]any{"field": "metadata.name"}
	for _, c := range []struct {
		frobber, kube outcome
		older, newer  bool // they agree
	}{
		{refused("x", one), refused("x", one), true, true},
		{refused("x", one), refused("x", one, one), true, false},
		{refused("x", one, one), refused("x", one), false, false},
		{refused("x", one), refused("x", one, other), false, false},
		{refused("invalid JSON patch"), refused("unexpected end of JSON input"), true, false},
		{refused("invalid JSON patch"), refused("x"), false, false},
		{refused("error encoding patch: yaml: line 1"), refused("error decoding YAML: error converting YAML to JSON: yaml: line 1"), true, false},
		{refused("error encoding patch: yaml: line 1"), refused("error decoding YAML: error converting YAML to JSON: yaml: line 2"), false, false},
	} {
		copied := func() (outcome, outcome) {
			return refused(saidIn(c.frobber), causesIn(c.frobber)...), refused(saidIn(c.kube), causesIn(c.kube)...)
		}
		frobber, kube := copied()
		assert.Equal(t, c.older, compare(frobber, kube, since("v1.36.1")...) == "", "%v", c)
		frobber, kube = copied()
		assert.Equal(t, c.newer, compare(frobber, kube, since("v1.37.0")...) == "", "%v", c)
	}
}

func saidIn(o outcome) string { return fmt.Sprint(o.Body.(map[string]any)["message"]) }

func causesIn(o outcome) []any {
	all, _ := within(o.Body, "details")["causes"].([]any)
	return slices.Clone(all)
}
