package rules_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/rules"
)

var update = flag.Bool("update", false, "write docs/explanation/rules.md anew, and with -guide the index of the texts")

func golden(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "go test ./scenarios/rules -update writes it")
	if string(want) != text {
		t.Errorf("%s is stale: go test ./scenarios/rules -update writes it anew", file)
	}
}

func catalogue(t *testing.T) []load.Entry {
	t.Helper()
	entries, err := load.Catalogue()
	require.NoError(t, err)
	return entries
}

var testFunction = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

// goTests finds the tests of the repository, with their files.
func goTests(t *testing.T) rules.Tests {
	t.Helper()
	tests := rules.Tests{}
	root := filepath.Join("..", "..")
	require.NoError(t, fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		for _, m := range testFunction.FindAllStringSubmatch(string(text), -1) {
			tests[m[1]] = append(tests[m[1]], name)
		}
		return nil
	}))
	return tests
}

func TestRules(t *testing.T) {
	documents, err := rules.Documents()
	require.NoError(t, err)
	tests := goTests(t)
	for _, problem := range rules.Problems(documents, catalogue(t), tests) {
		t.Error(problem)
	}
	golden(t, filepath.Join("..", "..", "docs", "explanation", "rules.md"), rules.Markdown(documents, catalogue(t), tests))
}

func TestTopics(t *testing.T) {
	topics, err := rules.Topics()
	require.NoError(t, err)
	for _, problem := range rules.Misplaced(topics, catalogue(t)) {
		t.Error(problem)
	}
	assert.Equal(t, "Adding a field", rules.TopicOf(topics, "add-field"))
	assert.Empty(t, rules.TopicOf(topics, "subtract-field"))
}

// small is a catalogue of one scenario with one mutant.
func small(mutant string) []load.Entry {
	s := &scenarios.Scenario{Name: "walk", Mutants: map[string]scenarios.Mutant{mutant: {}}}
	return []load.Entry{{Name: "walk", Group: "feet", Scenario: s}}
}

// TestProblems breaks a valid rule in each way that has a message.
func TestProblems(t *testing.T) {
	right := rules.Rule{
		Obliges: "walk", Says: []string{"one must walk"}, Scenarios: []string{"walk"}, Mutants: []string{"walk+run"}, Tests: []string{"feet.TestStand", "hind/feet.TestWalk"},
	}
	tests := rules.Tests{"TestWalk": {"feet/walk_test.go", "ends/hind/feet/walk_test.go"}, "TestStand": {"feet/stand_test.go"}}
	for name, c := range map[string]struct {
		breakIt func(*rules.Rule)
		want    []string
	}{
		"right":                     {func(*rules.Rule) {}, nil},
		"no test":                   {func(r *rules.Rule) { r.Tests = nil }, nil},
		"nothing to show":           {func(r *rules.Rule) { r.Scenarios, r.Tests = nil, nil }, []string{"neither a scenario nor a test", "its scenario walk is not among"}},
		"a reason":                  {func(r *rules.Rule) { r.Scenarios, r.Tests, r.Reason = nil, nil, "it is Sunday" }, []string{"its scenario walk is not among"}},
		"quotes nothing":            {func(r *rules.Rule) { r.Says = nil }, []string{"quotes nothing"}},
		"no scenario so":            {func(r *rules.Rule) { r.Scenarios = []string{"swim"} }, []string{`scenario "swim": not in the catalogue`, "its scenario walk is not among"}},
		"no scenario of the mutant": {func(r *rules.Rule) { r.Scenarios = []string{"stand"} }, []string{`scenario "stand": not in the catalogue`, `mutant "walk+run": its scenario walk is not among the rule's`}},
		"two tests so":              {func(r *rules.Rule) { r.Tests = []string{"feet.TestWalk"} }, []string{`test "feet.TestWalk": several packages have it (ends/hind/feet/walk_test.go, feet/walk_test.go)`}},
		"no such mutant":            {func(r *rules.Rule) { r.Mutants = append(r.Mutants, "walk+hop") }, []string{`mutant "walk+hop": not in the catalogue`}},
		"no test so":                {func(r *rules.Rule) { r.Tests = []string{"feet.TestSwim"} }, []string{`test "feet.TestSwim": no package has it`}},
		"no mutant":                 {func(r *rules.Rule) { r.Mutants = nil }, []string{"no mutant: give one", "walk+run: no rule names this mutant"}},
		"why no mutant":             {func(r *rules.Rule) { r.Mutants, r.Reason = nil, "it is Sunday" }, []string{"walk+run: no rule names this mutant"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := right
			r.Mutants = append([]string{}, right.Mutants...)
			c.breakIt(&r)
			document := rules.Document{Name: "guide", Sections: []rules.Section{{Name: "On feet", Rules: []rules.Rule{r}}}}
			problems := rules.Problems([]rules.Document{document}, small("run"), tests)
			require.Len(t, problems, len(c.want))
			for i, want := range c.want {
				assert.Contains(t, problems[i], want)
			}
		})
	}
}

func TestMisplaced(t *testing.T) {
	for name, c := range map[string]struct {
		topics []rules.Topic
		want   []string
	}{
		"right":  {[]rules.Topic{{Name: "feet", Scenarios: []string{"walk"}}}, nil},
		"none":   {nil, []string{"topics.yaml: walk: is under 0 topics [] instead of one"}},
		"twice":  {[]rules.Topic{{Name: "feet", Scenarios: []string{"walk"}}, {Name: "legs", Scenarios: []string{"walk"}}}, []string{"topics.yaml: walk: is under 2 topics [feet, legs] instead of one"}},
		"absent": {[]rules.Topic{{Name: "feet", Scenarios: []string{"walk", "swim"}}}, []string{`topics.yaml: feet: "swim": not in the catalogue`}},
	} {
		assert.Equal(t, c.want, rules.Misplaced(c.topics, small("run")), name)
	}
}

// TestStale: the table contains each rule, the check of each mutant and the file of each test,
// so a change of one makes the table stale.
func TestStale(t *testing.T) {
	documents := []rules.Document{{Title: "Feet", URL: "https://feet.example", Sections: []rules.Section{{Name: "On feet (both)", Rules: []rules.Rule{{
		Obliges: "walk | stand", Scenarios: []string{"walk"}, Mutants: []string{"walk+run"}, Tests: []string{"feet.TestWalk"}, Reason: "it is\nSunday",
	}}}}}}
	entries := small("run")
	entries[0].Scenario.Mutants["run"] = scenarios.Mutant{Caught: scenarios.Expectation{Check: "rule-1"}}
	text := rules.Markdown(documents, entries, rules.Tests{"TestWalk": {"feet/walk_test.go"}})
	assert.Contains(t, text, "### [On feet (both)](https://feet.example#on-feet-both)\n")
	assert.Contains(t, text, "| walk \\| stand | [walk](../../scenarios/feet/walk.yaml) | `walk+run`: [rule-1](../reference/checks.md#rule-1) "+
		"| [feet.TestWalk](../../feet/walk_test.go)<br>it is Sunday |\n")
	assert.Contains(t, text, "1 rules: 1 are played by scenarios, 0 have only a test, and for 0")
}
