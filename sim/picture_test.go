package sim_test

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// layer is one line of the picture in docs/explanation/architecture.md: folders that are drawn together.
type layer struct {
	names   []string
	arrows  []string // the first names of the layers that it imports
	founded bool     // it is below the dashes, where all layers may import
}

// picture reads the layers of the page, from top to bottom.
func picture(page string) (all []layer) {
	_, rest, _ := strings.Cut(page, "everything that it imports above the dashes:\n\n```\n")
	drawn, _, _ := strings.Cut(rest, "```")
	founded := false
	for line := range strings.Lines(drawn) {
		words, _, _ := strings.Cut(strings.TrimSpace(line), "  ")
		switch arrow, isArrow := strings.CutPrefix(words, "──> "); {
		case strings.HasPrefix(words, "---"):
			founded = true
		case isArrow:
			all[len(all)-1].arrows = strings.Split(arrow, ", ")
		default:
			all = append(all, layer{names: strings.Split(words, ", "), founded: founded})
		}
	}
	return all
}

// layerOf returns the index of the layer that a package is drawn in, -1 for none: the one with the
// longest name that contains the package.
func layerOf(all []layer, pkg string) int {
	found, longest := -1, ""
	for i, l := range all {
		for _, name := range l.names {
			if names(name+"/", pkg) && len(name) > len(longest) {
				found, longest = i, name
			}
		}
	}
	return found
}

// undrawn are the packages that only tests import: the picture leaves them out.
func undrawn() []string {
	return []string{"scenarios/tiers", "servers/neighbours", "servers/container/containertest", "sim/run/runtest", "sim/oracle/oracletest", "sim/oracle/recorded/", "sim/oracle/mutate"}
}

// pictureProblems lists where the imports and the picture differ.
func pictureProblems(all []layer, files []source) (problems []string) {
	add := func(format string, values ...any) {
		if text := fmt.Sprintf(format, values...); !slices.Contains(problems, text) {
			problems = append(problems, text)
		}
	}
	real := map[int]map[string]bool{}
	for _, s := range files {
		if s.isTest() || s.inTest() || s.below() == "docs" || s.dir() == "sim" ||
			slices.ContainsFunc(undrawn(), func(name string) bool { return names(name, s.dir()) }) {
			continue
		}
		from := layerOf(all, s.dir())
		if from < 0 {
			add("%s is not drawn", s.dir())
			continue
		}
		for _, imported := range imports(s) {
			pkg, own := strings.CutPrefix(imported, module+"/")
			to := layerOf(all, pkg)
			switch {
			case !own || to == from:
			case to < from:
				add("%s imports %s, which is drawn above it", s.dir(), pkg)
			case all[to].founded && !all[from].founded:
			default:
				if real[from] == nil {
					real[from] = map[string]bool{}
				}
				real[from][all[to].names[0]] = true
			}
		}
	}
	for i, l := range all {
		if is, drawn := slices.Sorted(maps.Keys(real[i])), slices.Sorted(slices.Values(l.arrows)); !slices.Equal(is, drawn) {
			add("%s imports %v, and its arrow names %v", l.names[0], is, drawn)
		}
	}
	return problems
}

// TestPicture holds that the picture in docs/explanation/architecture.md shows the imports that exist: each
// goes down, and each arrow has one.
func TestPicture(t *testing.T) {
	text, err := fs.ReadFile(repository(), architecturePage)
	require.NoError(t, err)
	all := picture(string(text))
	require.Greater(t, len(all), 5, "the layers of the picture")
	for _, problem := range pictureProblems(all, sources(t, repository())) {
		t.Error(problem)
	}
}

func TestPictureCanFail(t *testing.T) {
	all := picture("everything that it imports above the dashes:\n\n```\n cmd   flags\n   ──> sim/run\n sim/run, sim/act   x\n ----\n scenarios   x\n```\n")
	file := func(name, imported string) source {
		return parse(t, name, fmt.Sprintf("package x\nimport _ %q\n", module+"/"+imported))
	}
	is := file("cmd/x.go", "sim/run")
	assert.Empty(t, pictureProblems(all, []source{is, file("cmd/y.go", "scenarios"), file("sim/act/x.go", "sim/run"), file("sim/run/x.go", "scenarios")}))
	for name, wrong := range map[string][]source{
		"an arrow without an import": {file("cmd/y.go", "scenarios")},
		"an import upwards":          {is, file("scenarios/x.go", "sim/run")},
		"a package that is missing":  {is, file("reports/x.go", "scenarios")},
	} {
		assert.Len(t, pictureProblems(all, wrong), 1, name)
	}
}
