package sim_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// singleVerbs are the files that may compare with single verbs, each with the reason. All others
// use the predicates of scenarios/term/verb.go, so that a new verb is one row there.
func singleVerbs() map[string]string {
	return map[string]string{}
}

// verbConstants returns the names of the constants of type term.Verb.
func verbConstants(t *testing.T, all []source) (names []string) {
	for _, s := range all {
		if s.name != "scenarios/term/verb.go" {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok {
				if is, ok := spec.Type.(*ast.Ident); ok && is.Name == "Verb" {
					for _, name := range spec.Names {
						names = append(names, name.Name)
					}
				}
			}
			return true
		})
	}
	require.NotEmpty(t, names, "the constants of type term.Verb")
	return names
}

// comparedVerbs lists the places of a file that compare with a single verb: with == and !=, in a
// case, or in a list that a function of package slices searches.
func comparedVerbs(s source, verbs []string) (problems []string) {
	isVerb := func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.SelectorExpr:
			pkg, ok := e.X.(*ast.Ident)
			return ok && pkg.Name == "term" && slices.Contains(verbs, e.Sel.Name)
		case *ast.Ident:
			return s.dir() == "scenarios/term" && slices.Contains(verbs, e.Name)
		}
		return false
	}
	add := func(n ast.Node, all ...ast.Expr) {
		if slices.ContainsFunc(all, isVerb) {
			problems = append(problems, fmt.Sprintf("%s:%d: compares with a single verb: use a predicate of term.Verb", s.name, s.line(n.Pos())))
		}
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				add(n, n.X, n.Y)
			}
		case *ast.CaseClause:
			add(n, n.List...)
		case *ast.CallExpr:
			if fn, ok := n.Fun.(*ast.SelectorExpr); ok && fmt.Sprint(fn.X) == "slices" && strings.HasPrefix(fn.Sel.Name, "Contains") {
				add(n, n.Args...)
				if list, ok := n.Args[0].(*ast.CompositeLit); ok {
					add(n, list.Elts...)
				}
			}
		}
		return true
	})
	return problems
}

func TestVerbsAreAskedForProperties(t *testing.T) {
	all := sources(t, repository())
	verbs := verbConstants(t, all)
	for _, s := range all {
		if s.isTest() || s.inTest() || singleVerbs()[s.name] != "" {
			continue
		}
		for _, problem := range comparedVerbs(s, verbs) {
			t.Error(problem)
		}
	}
}

func TestVerbsAreAskedForPropertiesCanFail(t *testing.T) {
	for text, want := range map[string]int{
		"var _ = v == term.Apply": 1,
		"var _ = v != term.Post":  1,
		"func f() { switch v {\ncase term.Apply, term.ExtractApply:\n} }":             1,
		"func f() { switch {\ncase v == term.Apply:\n} }":                             1,
		"var _ = slices.Contains([]term.Verb{term.Apply, term.ExtractApply}, v)":      1,
		"var _ = slices.Contains(all, term.Evict)":                                    1,
		"var _ = map[term.Verb]int{term.Apply: 1}":                                    0,
		"var _ = plan.Step{Verb: term.Get}":                                           0,
		"var _ = v.Applies()":                                                         0,
		"var _ = role == term.Old":                                                    0,
		"func f() { switch v.PatchForm() {\ncase term.JSONForm, term.MergeForm:\n} }": 0,
	} {
		assert.Len(t, comparedVerbs(parse(t, "sim/x.go", "package x\n"+text), []string{"Apply", "ExtractApply", "Post", "Evict", "Get"}), want, text)
	}
}
