package term_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/term"
)

// entry is a word of any list.
type entry struct{ word, meaning string }

func entries[W ~string](l term.List[W]) []entry {
	all := make([]entry, len(l))
	for i, e := range l {
		all[i] = entry{string(e.Word), e.Meaning}
	}
	return all
}

func lists() map[string][]entry {
	return map[string][]entry{
		"checks": entries(term.Checks()), "rules": entries(term.Rules()), "classes": entries(term.Classes()),
		"states": entries(term.States()), "causes": entries(term.Causes()), "verdicts": entries(term.Verdicts()),
		"roles": entries(term.Roles()), "rollouts": entries(term.Rollouts()), "clients": entries(term.Clients()),
		"verbs": entries(term.Verbs()), "copy roles": entries(term.CopyRoles()),
	}
}

// TestLists holds that every word is kebab-case, told once, and explained in a
// line that reads on from the word.
func TestLists(t *testing.T) {
	for name, list := range lists() {
		assert.NotEmpty(t, list, name)
		for _, problem := range ill(list) {
			t.Errorf("%s: %s", name, problem)
		}
	}
}

var (
	kebab = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	line  = regexp.MustCompile(`^\S[^\n]*[^\s.]$`)
)

func ill(list []entry) (problems []string) {
	seen := map[string]bool{}
	for _, e := range list {
		switch {
		case !kebab.MatchString(e.word):
			problems = append(problems, e.word+": not kebab-case")
		case seen[e.word]:
			problems = append(problems, e.word+": twice")
		case !line.MatchString(e.meaning):
			problems = append(problems, e.word+": its meaning is no single line without a full stop")
		}
		seen[e.word] = true
	}
	return problems
}

func TestIllCanFail(t *testing.T) {
	assert.Equal(t, []string{
		"Two words: not kebab-case", "a: twice", "b: its meaning is no single line without a full stop",
		"c: its meaning is no single line without a full stop",
	}, ill([]entry{{"a", "x y"}, {"Two words", "xx"}, {"a", "yy"}, {"b", "ends."}, {"c", ""}}))
}

func TestList(t *testing.T) {
	assert.Equal(t, []string{"old", "new"}, term.Roles().Words())
	assert.True(t, term.Roles().Has(term.Old))
	assert.False(t, term.Roles().Has("older"))
	assert.Equal(t, "release n, the one that is upgraded to", term.Roles().Meaning(term.New))
	assert.Empty(t, term.Roles().Meaning("older"))
}

// TestVerbs says of every verb what it does to an object.
func TestVerbs(t *testing.T) {
	for verb, want := range map[term.Verb]struct{ reads, writes, modifies bool }{
		term.Create:         {false, true, false},
		term.Put:            {true, true, true},
		term.JSONPatch:      {false, true, true},
		term.MergePatch:     {false, true, true},
		term.StrategicPatch: {false, true, true},
		term.StatusPatch:    {false, true, true},
		term.Get:            {},
		term.ListAll:        {},
		term.Delete:         {false, true, false},
	} {
		assert.Equal(t, want.reads, verb.Reads(), verb)
		assert.Equal(t, want.writes, verb.Writes(), verb)
		assert.Equal(t, want.modifies, verb.Modifies(), verb)
		assert.True(t, term.Verbs().Has(verb), verb)
	}
	assert.Len(t, term.Verbs(), 9, "a new verb belongs into the table above")
}

func TestClientRole(t *testing.T) {
	for client, want := range map[term.Client]term.Role{term.OldTyped: term.Old, term.NewTyped: term.New} {
		role, typed := client.Role()
		assert.True(t, typed)
		assert.Equal(t, want, role)
	}
	_, typed := term.Dynamic.Role()
	assert.False(t, typed)
}
