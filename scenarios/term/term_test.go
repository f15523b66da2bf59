package term_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
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
		"states": entries(term.Outcomes()), "causes": entries(term.Causes()), "generations": entries(term.Generations()), "verdicts": entries(term.Verdicts()),
		"roles": entries(term.Roles()), "rollouts": entries(term.Rollouts()), "clients": entries(term.Clients()),
		"verbs": entries(term.Verbs()), "copy roles": entries(term.CopyRoles()),
		"changes": entries(term.Changes()), "encodings": entries(term.Encodings()),
		"store kinds": entries(term.StoreKinds()),
		"list forms":  entries(term.ListForms()), "attempts": entries(term.Attempts()),
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

// TestFieldValidations: these words are the servers' own, and so capitalised.
func TestFieldValidations(t *testing.T) {
	assert.Equal(t, []string{"Ignore", "Warn", "Strict"}, term.FieldValidations().Words())
	for _, e := range entries(term.FieldValidations()) {
		assert.Empty(t, ill([]entry{{strings.ToLower(e.word), e.meaning}}))
	}
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
	assert.Equal(t, []term.Role{term.New, term.Old}, []term.Role{term.Old.Other(), term.New.Other()})
}

// verbTable says of every verb what it does: reads first, modifies, carries a
// change, creates, deletes, sends whole objects; then the part it writes.
const verbTable = `
create             -      -        -        creates -       whole -
put                reads  modifies carries  -       -       whole -
unchanged-put      reads  modifies -        -       -       whole -
json-patch         -      modifies carries  -       -       -     -
merge-patch        -      modifies carries  -       -       -     -
strategic-patch    -      modifies carries  -       -       -     -
merge-diff         reads  modifies carries  -       -       -     -
strategic-diff     reads  modifies carries  -       -       -     -
apply              -      modifies carries  creates -       -     -
extract-apply      reads  modifies carries  -       -       -     -
client-side-apply  reads  modifies carries  creates -       -     -
status-put         reads  modifies -        -       -       whole status
status-patch       -      modifies -        -       -       -     status
scale-put          reads  modifies -        -       -       -     scale
scale-patch        -      modifies -        -       -       -     scale
post               -      modifies -        -       -       -     -
get                -      -        -        -       -       -     -
list               -      -        -        -       -       -     -
delete             -      -        -        -       deletes -     -
delete-collection  -      -        -        -       deletes -     -
evict              -      -        -        -       deletes -     eviction
`

func TestVerbs(t *testing.T) {
	rows := strings.Split(strings.TrimSpace(verbTable), "\n")
	require.Len(t, rows, len(term.Verbs()), "a new verb belongs into the table above")
	for i, e := range term.Verbs() {
		v := e.Word
		is := []string{
			string(v), or("reads", v.Reads()), or("modifies", v.Modifies()), or("carries", v.Carries()),
			or("creates", v.Creates()), or("deletes", v.Deletes()), or("whole", v.Whole()), v.Subresource(),
		}
		is[len(is)-1] = or(is[len(is)-1], v.Subresource() != "")
		assert.Equal(t, strings.Fields(rows[i]), is)
		assert.Equal(t, v.Creates() || v.Modifies() || v.Deletes(), v.Writes(), v)
	}
}

func or(word string, is bool) string {
	if is {
		return word
	}
	return "-"
}

// TestUnfit says which clients can play which verbs: a verb that is not named
// here, all but apply clients can.
func TestUnfit(t *testing.T) {
	all := term.Clients().Words()
	fit := map[term.Verb][]string{
		term.Apply:            {"old-apply", "new-apply", "older-apply", "dynamic"},
		term.ExtractApply:     {"old-apply", "new-apply", "older-apply"},
		term.ClientSideApply:  {"dynamic"},
		term.Get:              all,
		term.ListAll:          all,
		term.Delete:           all,
		term.DeleteCollection: all,
		term.Evict:            all,
	}
	for _, e := range term.Verbs() {
		want := fit[e.Word]
		if want == nil {
			want = []string{"old-typed", "new-typed", "older-typed", "dynamic"}
		}
		var got []string
		for _, c := range all {
			if e.Word.Unfit(term.Client(c)) == "" {
				got = append(got, c)
			}
		}
		assert.Equal(t, want, got, e.Word)
	}
	assert.Equal(t, "a typed client sends no apply configuration: let new-apply do it", term.Apply.Unfit(term.NewTyped))
}

// TestEncodings says who can send protobuf; JSON is for everybody.
func TestEncodings(t *testing.T) {
	var can []string
	for _, v := range term.Verbs() {
		for _, c := range term.Clients() {
			assert.Empty(t, term.JSON.Unfit(v.Word, c.Word))
			if v.Word.Unfit(c.Word) == "" && term.Protobuf.Unfit(v.Word, c.Word) == "" {
				can = append(can, string(v.Word)+" by "+string(c.Word))
			}
		}
	}
	assert.Equal(t, []string{
		"create by old-typed", "create by new-typed", "create by older-typed", "put by old-typed", "put by new-typed", "put by older-typed",
		"unchanged-put by old-typed", "unchanged-put by new-typed", "unchanged-put by older-typed",
		"status-put by old-typed", "status-put by new-typed", "status-put by older-typed",
	}, can)
}

func TestClientRole(t *testing.T) {
	for client, want := range map[term.Client]term.Role{
		term.OldTyped: term.Old, term.NewTyped: term.New, term.OldApply: term.Old, term.NewApply: term.New,
		term.OlderTyped: term.Older, term.OlderApply: term.Older,
	} {
		role, typed := client.Role()
		assert.True(t, typed)
		assert.Equal(t, want, role)
		assert.Equal(t, strings.HasSuffix(string(client), "-apply"), client.Applies())
	}
	_, typed := term.Dynamic.Role()
	assert.False(t, typed)
	assert.False(t, term.Dynamic.Applies())
}

// TestOlderWords: a word that files have from before means the current one, in its own list alone.
func TestOlderWords(t *testing.T) {
	states, _ := term.VocabularyOf(reflect.TypeFor[term.Outcome]())
	assert.Equal(t, string(term.Indeterminate), states.Current("untold"))
	assert.Equal(t, "kept", states.Current("kept"))
	roles, _ := term.VocabularyOf(reflect.TypeFor[term.Role]())
	assert.Equal(t, "untold", roles.Current("untold"))
}
