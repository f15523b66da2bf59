package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// kindsOf are the mutants of a function's body, one line each.
func kindsOf(t *testing.T, signature, body string) (all []string) {
	t.Helper()
	in, err := instrument("dir/a.go", "package a\n\nfunc f"+signature+" {\n"+body+"\n}\n", 1)
	require.NoError(t, err)
	_, err = parser.ParseFile(token.NewFileSet(), "a.go", in.source, 0)
	require.NoError(t, err, in.source)
	for i, m := range in.mutants {
		assert.Equal(t, i+1, m.ID)
		assert.Equal(t, "a.go", m.File)
		assert.Equal(t, "f", m.Function)
		assert.Contains(t, in.source, fmt.Sprintf("mutantOn(%d)", m.ID))
		all = append(all, fmt.Sprintf("%d %s: %s", m.Line, m.Kind, m.Text))
	}
	return all
}

// Each kind of mutant, and the near misses that have none.
func TestMutants(t *testing.T) {
	for name, c := range map[string]struct {
		signature, body string
		want            []string
	}{
		"a body of one return": {"() int", "return 7", []string{"4 empty function: return 7"}},
		"nothing is returned":  {"() (int, error)", "return 0, nil", nil},
		"a predicate": {"(x int) bool", "return x == 7", []string{
			"4 empty function: return x == 7", "4 true returned: x == 7"}},
		"false": {"() bool", "return false", []string{"4 true returned: false"}},
		"true":  {"() bool", "return true", []string{"4 empty function: return true"}},
		"a condition": {"(x int)", "if x == 7 {\n\tg()\n}", []string{
			"3 empty function: {", "4 condition true: x == 7", "4 condition false: x == 7", "5 statement removed: g()"}},
		"operands": {"(x, y, z bool) bool", "return x && y && (x || z)", []string{
			"4 empty function: return x && y && (x || z)", "4 true returned: x && y && (x || z)",
			"4 operand dropped: x", "4 operand dropped: y",
			"4 operand dropped: (x || z)", "4 operand dropped: x", "4 operand dropped: z"}},
		"boundaries": {"(x, y int)", "_ = x < y\n_ = x >= y", []string{
			"3 empty function: {", "4 statement removed: _ = x < y", "4 boundary: x < y",
			"5 statement removed: _ = x >= y", "5 boundary: x >= y"}},
		"a loop": {"(all []int)", "for range all {\n\tcontinue\n}", []string{
			"3 empty function: {", "5 loop skipped: continue", "5 statement removed: continue"}},
		"a loop with no end": {"()", "for {\n\tg()\n}", []string{"3 empty function: {", "5 statement removed: g()"}},
		"cases": {"(x int)", "switch {\ncase x == 7:\n\tx++\n}", []string{
			"3 empty function: {", "5 condition true: x == 7", "5 condition false: x == 7", "6 statement removed: x++"}},
		"one more":      {"(x int) int", "return x + 1", []string{"4 empty function: return x + 1", "4 one more: x + 1"}},
		"a declaration": {"()", "x := 7\nconst y = 7 + 1\n_ = x", []string{"3 empty function: {", "6 statement removed: _ = x"}},
		"wording":       {"(f *F)", "f.Message = `no`\nf.State = 1", []string{"3 empty function: {", "5 statement removed: f.State = 1"}},
		"a function in it": {"()", "g(func() int { return 7 })", []string{
			"3 empty function: {", "4 statement removed: g(func() int { return 7 })", "4 empty function: return 7"}},
		"a panic": {"()", "panic(1)", []string{"3 empty function: {"}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, kindsOf(t, c.signature, c.body)) })
	}
}

// Numbers go on from file to file, methods have the name of their type, and what cannot
// be parsed is an error.
func TestInstrument(t *testing.T) {
	in, err := instrument("a.go", "package a\n\nfunc (s *S[T]) m() {}\nfunc (s *S) n() { g() }\n", 40)
	require.NoError(t, err)
	require.Len(t, in.mutants, 2)
	assert.Equal(t, 40, in.mutants[0].ID)
	assert.Equal(t, "S.n", in.mutants[1].Function)

	_, err = instrument("a.go", "package", 1)
	assert.ErrorContains(t, err, "a.go")
}
