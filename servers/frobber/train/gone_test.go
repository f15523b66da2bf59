package train_test

import (
	"fmt"
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/servers/frobber/object"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// wrongTags are the wrong protobuf tags of mutants.
func wrongTags() map[string][]string {
	return map[string][]string{
		"1.2+tag": {
			`1.2+tag: v6.spec: tag "3", that was of "width", is of angle`,
			`1.2+tag: v6.spec.width: had tag 3,varint, and has 6,varint`,
		},
		"1.18+schema": {
			"1.18+schema: v7beta1.spec.size.angle: had tag 6,varint, and has 6,bytes",
			"1.18+schema: v6.spec.angle: had tag 6,varint, and has 6,bytes",
			"1.18+schema: v5.spec.angle: had tag 6,varint, and has 6,bytes",
		},
		"1.22+retag": takenFromGlow("1.22+retag"),
		"1.22+wire":  takenFromGlow("1.22+wire"),
		"1.22+name": {
			"1.22+name: v7beta1.spec.glow: had tag 15,varint, and has 20,bytes",
			"1.22+name: v6.spec.glow: had tag 15,varint, and has 20,bytes",
			"1.22+name: v5.spec.glow: had tag 15,varint, and has 20,bytes",
		},
	}
}

func takenFromGlow(mutant string) (all []string) {
	for _, version := range []string{"v7beta1", "v6", "v5"} {
		all = append(all, fmt.Sprintf(`%s: %s.spec: tag "15", that was of "glow", is of shine`, mutant, version))
	}
	return all
}

// wrongNames are the wrong names of mutants.
func wrongNames() map[string][]string {
	return map[string][]string{
		"1.18+schema": {
			"1.18+schema: v7beta1.spec.size.angle: was of type int32, and is of type string",
			"1.18+schema: v6.spec.angle: was of type int32, and is of type string",
			"1.18+schema: v5.spec.angle: was of type int32, and is of type string",
		},
		"1.22+name": {
			"1.22+name: v7beta1.spec.glow: was of type int32, and is of type string",
			"1.22+name: v6.spec.glow: was of type int32, and is of type string",
			"1.22+name: v5.spec.glow: was of type int32, and is of type string",
		},
	}
}

// tombstoneProblems lists fields that are removed without a tombstone, tombstones that are
// removed, and fields that reuse what a tombstone reserves, in releases from the oldest on.
func tombstoneProblems(releases []*release.Release) (problems []string) {
	type grave struct{ version, in, name, number string }
	fields, stones := map[grave]bool{}, map[grave]bool{}
	for _, r := range releases {
		for _, v := range r.Versions {
			now, kept := map[grave]bool{}, map[grave]bool{}
			for _, f := range publishedBy(v) {
				now[grave{v.Name, f.in, f.name, f.number}] = true
			}
			for _, s := range tombstonesOf(v) {
				kept[grave{v.Name, ".spec", s.Name, strconv.Itoa(s.Tag)}] = true
			}
			for g := range merged(fields, stones) {
				if g.version == v.Name && !now[g] && !kept[g] {
					problems = append(problems, fmt.Sprintf("%s: %s%s: %s (%s) goes without a tombstone", r, g.version, g.in, g.name, g.number))
				}
			}
			for g := range now {
				for s := range merged(stones, kept) {
					if g.version == s.version && g.in == s.in && (g.name == s.name || g.number == s.number) {
						problems = append(problems, fmt.Sprintf("%s: %s%s: %s (%s) disturbs %s (%s)", r, g.version, g.in, g.name, g.number, s.name, s.number))
					}
				}
			}
			fields, stones = merged(fields, now), merged(stones, kept)
			for g := range stones {
				delete(fields, g)
			}
		}
	}
	return problems
}

func merged[K comparable](a, b map[K]bool) map[K]bool {
	all := map[K]bool{}
	for _, m := range []map[K]bool{a, b} {
		for k := range m {
			all[k] = true
		}
	}
	return all
}

func tombstonesOf(v release.Version) []object.Tombstone {
	spec, _ := v.New().(object.Content).Contents()
	return object.Tombstones(reflect.TypeOf(spec).Elem())
}

func TestTombstones(t *testing.T) {
	assert.Empty(t, tombstoneProblems(right(t)))
	stones := tombstonesOf(find(t, "1.27").Versions[0])
	assert.Equal(t, []string{"glow", "alphaSpin"}, []string{stones[0].Name, stones[1].Name})
	for mutant, want := range map[string][]string{
		"1.22+retag": {"glow (15) goes without a tombstone", "shine (15) disturbs glow (15)"},
		"1.22+wire":  {"glow (15) goes without a tombstone", "shine (15) disturbs glow (15)"},
		"1.22+name":  {"glow (15) goes without a tombstone", "glow (20) disturbs glow (15)"},
	} {
		var all []string
		for _, version := range []string{"v7beta1", "v6", "v5"} {
			for _, problem := range want {
				all = append(all, fmt.Sprintf("%s: %s.spec: %s", mutant, version, problem))
			}
		}
		assert.ElementsMatch(t, all, tombstoneProblems(until(t, find(t, mutant))))
	}
	assert.Len(t, tombstoneProblems(append(until(t, find(t, "1.20")), find(t, "1.19"))), 3, "a field that goes, in each version")
}

// explained returns the descriptions of the spec's fields as kubectl explain shows them, and
// that of the spec under "".
func explained(v release.Version) map[string]string {
	all := map[string]string{}
	described := object.Definitions(func(string) spec.Ref { return spec.Ref{} }, v.New())
	schema := described["com.example.frobbing."+v.Name+".FrobberSpec"].Schema
	all[""] = schema.Description
	for name, property := range schema.Properties {
		all[name] = property.Description
	}
	return all
}

// TestExplain: the description of a field contains its stage; a removed field leaves at most a
// note.
func TestExplain(t *testing.T) {
	texts := map[string]map[string]string{
		"1.17": {"angle": "angle is how far the object is turned, in degrees. This is an alpha field and requires enabling the Frobber2D feature gate."},
		"1.18": {"angle": "angle is how far the object is turned, in degrees. This is a beta field and requires the Frobber2D feature gate, which is enabled by default."},
		"1.19": {"angle": "angle is how far the object is turned, in degrees."},
		"1.20": {"glow": "glow is how bright the object is, in candelas. This is an alpha field and requires enabling the FrobberGlow feature gate."},
		"1.22": {"glow": "", "": ""},
		"1.24": {"alphaSpin": ""},
		"1.25": {"alphaSpin": "alphaSpin is how fast the object turns, in rounds per minute. Feature is alpha and may change without notice."},
		"1.26": {"alphaSpin": "This field has been removed - use spec.spin.", "spin": "spin is how fast the object turns, in rounds per minute."},
		"1.27": {"alphaSpin": "", "": "The field alphaSpin has been removed - use spin."},
	}
	for name, want := range texts {
		v, _ := find(t, name).Version("v6")
		for field, text := range want {
			assert.Equal(t, text, explained(*v)[field], "%s %s", name, field)
		}
	}
}
