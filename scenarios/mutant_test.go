package scenarios_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
)

// TestFindMutant: a mutant's name follows the scenario's name, or the file's name with its
// extension, also if these contain a plus sign.
func TestFindMutant(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a+b.yaml+c")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	text := "name: s\nabout: x\nreleases: {of: frobber}\nobjects: {x: {bystander: o.yaml}}\nplay: [{create: x}]\n"
	file := filepath.Join(folder, "s.yaml")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "o.yaml"), []byte(configMap), 0o644))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	s, err := load.Find(file)
	require.NoError(t, err)
	assert.Equal(t, "", s.Mutant)
	_, err = load.Find(file + "+required")
	assert.EqualError(t, err, `scenario "s": has no mutants, so none named "required"`)

	text += "mutants:\n  required: {about: a, caught: {check: rule-1, via: new}}\n  value: {about: b, of: old, caught: {check: nothing-lost, via: new}}\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	s, err = load.Find(file + "+required")
	require.NoError(t, err)
	assert.Equal(t, []string{"required", "s+required", "s"}, []string{s.Mutant, s.FullName(), s.Name})
	assert.Equal(t, []string{"required", "value"}, s.MutantNames())
	assert.Equal(t, 7, s.Mutants["required"].Caught.Line)
	assert.Equal(t, []term.Role{term.New, term.Old}, []term.Role{s.Mutants["required"].Of, s.Mutants["value"].Of})
	for mutant, want := range map[string]string{
		"requird": `scenario "s": unknown mutant "requird" (mutants: required, value): did you mean "required"?`,
		"":        `scenario "s": unknown mutant "" (mutants: required, value)`,
	} {
		_, err := load.Find(file + "+" + mutant)
		assert.EqualError(t, err, want)
	}
	_, err = load.Find("quiet+required")
	assert.EqualError(t, err, `scenario "quiet": has no mutants, so none named "required"`)
	_, err = load.Find("quie+required")
	assert.EqualError(t, err, `scenario "quie": neither a file that ends in .yaml nor in the catalogue: did you mean "quiet"?`)
}

// TestAARunOfAMutant: where nothing changes, there is nothing to catch.
func TestAARunOfAMutant(t *testing.T) {
	s, err := load.Find("testdata/valid-everything.yaml+required")
	require.NoError(t, err)
	p, err := s.AARun(term.New)
	require.NoError(t, err)
	assert.Empty(t, p.Mutants)
	assert.Equal(t, "valid-everything-aa-new+required", p.FullName())
	assert.Len(t, s.Mutants, 2, "the scenario itself is as it was")
}
