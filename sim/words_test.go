package sim_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The rooms know rules, not cases: a scenario alone says which kinds and fields
// it is about. So none of their words may stand in the code of sim/. Members
// that every API object has (metadata, its labels and versions, kind) are the
// machinery's own, and so is the Namespace that a run puts its objects into.
const (
	kinds = `Frobbers?|Pods?|Deployments?|StatefulSets?|DaemonSets?|ReplicaSets?|CronJobs?|ConfigMaps?|Secrets?|` +
		`ServiceAccounts?|PersistentVolumes?|PersistentVolumeClaims?|CustomResourceDefinitions?|Evictions?`
	gates  = `MultiCIDRServiceAllocator|AllAlpha|AllBeta|api/all|api/beta`
	fields = `emptyDir|containers|initContainers|ephemeralContainers|volumes|volumeMounts|restartPolicy|minReadySeconds|` +
		`revisionHistoryLimit|heightInInches|OnlyOnTuesday|stringData|podTemplate|hostNetwork|nodeName`
)

var (
	caseWord = regexp.MustCompile(`\b(` + kinds + `|` + fields + `|` + gates + `)\b`)
	// casePath is a path into what only a kind can declare, or its first member.
	casePath = regexp.MustCompile(`(^|[^\w])\.(spec|status|data)\b|^(spec|status|data)$`)
)

// allowed are the exceptions: what a file may say, and why.
func allowed() map[string]map[string]string {
	secret := "design: confidential values must be known to be hidden, and Secrets are where the API has them"
	touch := "a status write has to touch something: conditions are the one list that kinds with a status share by convention"
	scale := "a scaling write has to name what it changes: kinds with /scale keep the number there, but for custom ones that say otherwise"
	stages := "the names under which all API servers have the gates, and the APIs, of a stage"
	evict := "to evict is what the machinery does with an object, whatever kind it is of"
	return map[string]map[string]string{
		"sim/run/fleet/options.go":          {"AllAlpha": stages, "AllBeta": stages, "api/all": stages, "api/beta": stages},
		"sim/run/fleet/unstartable.go":      {"api/all": stages},
		"sim/run/act/operate_verbs.go":      {"Eviction": evict},
		"sim/redact/policy.go":              {"Secret": secret, "stringData": secret, "data": secret},
		"sim/redact/answer.go":              {"status": "a member of every Status that a server answers, whatever kind it is about"},
		"sim/plan/assign.go":                {"status": "a member of every condition, whatever kind it is of"},
		"sim/plan/paths.go":                 {"status": touch, "spec": scale},
		"scenarios/term/change.go":          {"status": "the subresource's name, which is the machinery's"},
		"scenarios/term/verb.go":            {"status": "the subresource's name, which is the machinery's", "Eviction": evict},
		"sim/preflight/reading/writes.go":   {"status": "the subresource's name, and a member of every kind that has it"},
		"sim/preflight/play/manifests.go":   {"status": "what no create sets, whatever kind it is of", "stringData": secret},
		"sim/preflight/mask/words.go":       {".data": secret, "data": secret, "stringData": secret},
		"sim/preflight/mask/definitions.go": {"CustomResourceDefinition": "the kind that defines others", ".spec": "servers name fields of definitions as no version spells them"},
		"sim/run/act/operate_prepare.go":    {".status": touch},
		"sim/oracle/trace/offers.go": {
			"stringData": secret, "data": secret,
			"status": "the subresource that machinery keeps apart, whatever kind it is of",
		},
		"sim/skewtest/object.go":  {"status": "a Go type cannot leave it out, whatever kind it is of"},
		"sim/lint/rules.go":       {"status": "a key of the extension, whatever kind its field is of"},
		"sim/schema/lifecycle.go": {"status": "a key of the extension, whatever kind its field is of"},
		"scenarios/path/parse.go": {".spec": "an error shows how a path begins, by the member most objects have"},
	}
}

// cases lists the words of particular kinds that a file's code holds.
func cases(s source) (problems []string) {
	tell := func(at token.Pos, word string) {
		if allowed()[s.name][word] == "" {
			problems = append(problems, fmt.Sprintf("%s:%d: %q is a case, and this room knows rules", s.name, s.line(at), word))
		}
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch node := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Ident:
			if word := identifierCase(node.Name); word != "" {
				tell(node.Pos(), word)
			}
		case *ast.BasicLit:
			for _, word := range literalCases(node) {
				tell(node.Pos(), word)
			}
		}
		return true
	})
	return problems
}

func literalCases(lit *ast.BasicLit) []string {
	text, err := strconv.Unquote(lit.Value)
	if lit.Kind != token.STRING || err != nil {
		return nil
	}
	words := caseWord.FindAllString(text, -1)
	for _, m := range casePath.FindAllString(text, -1) {
		words = append(words, strings.TrimLeft(m, " (\"`'"))
	}
	return words
}

// identifierCase finds a kind or a field in a name, whatever stands around it.
func identifierCase(name string) string {
	for _, word := range strings.Split(kinds+"|"+fields, "|") {
		word = strings.TrimSuffix(word, "s?")
		capital := strings.ToUpper(word[:1]) + word[1:]
		if strings.EqualFold(name, word) || len(word) > 5 && strings.Contains(name, capital) {
			return word
		}
	}
	return ""
}

func TestRulesNotCases(t *testing.T) {
	for _, s := range sources(t, repository()) {
		leaf := slices.Contains([]string{"scenarios/path", "scenarios/term"}, s.dir())
		if s.below() != "sim" && !leaf || s.isTest() || s.inTest() || s.dir() == "sim/oracle/oracletest" { // its kinds are its own
			continue
		}
		for _, problem := range cases(s) {
			t.Error(problem)
		}
	}
}

func TestRulesNotCasesCanFail(t *testing.T) {
	for text, want := range map[string][]string{
		`var x = "Pod"`:                        {`x.go:2: "Pod" is a case, and this room knows rules`},
		`var x = "the Deployment is lost"`:     {`x.go:2: "Deployment" is a case, and this room knows rules`},
		`var x = ".spec.volumes"`:              {`x.go:2: "volumes" is a case, and this room knows rules`, `x.go:2: ".spec" is a case, and this room knows rules`},
		"var x = `json:\"emptyDir\"`":          {`x.go:2: "emptyDir" is a case, and this room knows rules`},
		`var x = []string{"spec"}`:             {`x.go:2: "spec" is a case, and this room knows rules`},
		`type FrobberSpec struct{}`:            {`x.go:2: "Frobber" is a case, and this room knows rules`},
		`var heightInInches int`:               {`x.go:2: "heightInInches" is a case, and this room knows rules`},
		`var pod int`:                          {`x.go:2: "Pod" is a case, and this room knows rules`},
		`var x = ".metadata.labels"`:           nil,
		`var podium, x = 1, "a specification"`: nil,
		`// a Pod is only spoken of`:           nil,
		`var x = "api/all"`:                    {`x.go:2: "api/all" is a case, and this room knows rules`},
		`var x = "MultiCIDRServiceAllocator"`:  {`x.go:2: "MultiCIDRServiceAllocator" is a case, and this room knows rules`},
		`var x = "api/v1"`:                     nil,
	} {
		assert.Equal(t, want, cases(parse(t, "x.go", "package x\n"+text+"\n")), text)
	}
}

// TestExceptionsAreNeeded fails for an exception that nothing needs any more.
func TestExceptionsAreNeeded(t *testing.T) {
	said := map[string][]string{}
	for _, s := range sources(t, repository()) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok {
				said[s.name] = append(said[s.name], literalCases(lit)...)
			}
			if ident, ok := n.(*ast.Ident); ok {
				said[s.name] = append(said[s.name], identifierCase(ident.Name))
			}
			return true
		})
	}
	for file, words := range allowed() {
		for word := range words {
			assert.True(t, slices.Contains(said[file], word), "%s: may say %q, and does not", file, word)
		}
	}
}

// selected are the names of the package that a file uses, by their lines.
func selected(s source, pkg string) map[string]int {
	all := map[string]int{}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if use, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := use.X.(*ast.Ident); ok && x.Name == pkg {
				all[use.Sel.Name] = s.line(use.Pos())
			}
		}
		return true
	})
	return all
}
