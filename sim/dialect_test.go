package sim_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// expression is a way of saying something that readers of this field do not use.
type expression struct {
	found   *regexp.Regexp
	instead string
}

// anyExpression matches where one of them does: most lines have none.
var anyExpression = sync.OnceValue(func() *regexp.Regexp {
	var all []string
	for _, e := range expressions() {
		all = append(all, strings.TrimPrefix(e.found.String(), "(?i)"))
	}
	return regexp.MustCompile("(?i)" + strings.Join(all, "|"))
})

// expressions are those that were common here. The list is explicit: a word that has an
// everyday meaning as well is found only in the context that makes it dialect.
var expressions = sync.OnceValue(func() []expression {
	of := func(pattern, instead string) expression {
		return expression{regexp.MustCompile(`(?i)\b(` + pattern + `)\b`), instead}
	}
	return []expression{
		of(`mend(s|ed|ing)?`, "fix"),
		of(`(is|are|was|were|be|been|being) told`, "is reported, knows"),
		of(`tells? (whether|which|what|why|how|where|of)`, "reports whether, says which"),
		of(`tells? \w+ apart|told apart`, "distinguish"),
		of(`(is|are|was|were) none`, "is not one, has none"),
		of(`hangs? on`, "depends on"),
		of(`go(es)? by (the|its|their|what|this)`, "uses"),
		of(`(can(not)?|could|to|not) be had`, "is available"),
		of(`(comes?|came) to (a|an|the|nothing|what|its|be|it|one)`, "results in, reaches, becomes"),
		of(`what (comes?|came|became|becomes) of`, "what happens to, how it ended"),
		of(`stands? (in )?for`, "means, represents, replaces"),
		of(`(lies?|lying) (in|at|beside|below|around|above)`, "is in"),
		of(`(both|either) ends?|ends? of (a|the) pair`, "releases"),
		of(`asks? of`, "asks for, requires"),
		of(`has it that`, "says"),
		of(`what there is`, "what exists"),
		of(`in company`, "in a shared run"),
		of(`likewise`, "the same, also"),
		of(`there is to`, "to"),
		of(`no (more than|less than) (its|their) own`, "only its own"),
		of(`convoys?|fellows?|compan(y|ies)`, "shared run, others"),
		of(`beings`, "copies, cells"),
		of(`laborator(y|ies)`, "scratch store"),
		of(`rehears(e|es|ed|al|ing)`, "pre-check"),
		of(`limp(s|ed|ing)?`, "degraded"),
		of(`standbys?`, "prewarmed server"),
		of(`reigns?`, "schema epoch"),
		of(`untold`, "indeterminate"),
		of(`flaky`, "infrastructure failure"),
		of(`insist(s|ed|ing)?`, "retry"),
		of(`spoil(s|ed|t|ing)?`, "not judged"),
		of(`placebos?`, "A/A run"),
		of(`sights?`, "observation"),
		of(`twins?`, "mutant"),
		of(`made[ -]up`, "generated"),
		of(`stand-ins?`, "substitute"),
		of(`strays?`, "unknown field"),
		of(`the machine (has )?ended`, "an infrastructure failure ended"),
	}
})

// allowedExpressions are quotations, and words that users have met, by file: each is found in
// full in a line that may have it.
func allowedExpressions() map[string][]string {
	return map[string][]string{
		"servers/frobber/apiserver/options_test.go": {"untold)"}, // a mutant's name
		"docs/reference/words.md":                   {"`untold`"},
		"docs/reference/results.md":                 {"`untold`", "`twin`"}, // names in JSON
		"docs/reference/reports.md":                 {"`twin`"},
		"docs/reference/matrix.md":                  {"`twin`"},
		"docs/reference/tests.md":                   {"`untold`", "/twin-"}, // a mutant's name, and scenarios'
		"docs/explanation/frobber.md":               {"`untold`"},
		"docs/explanation/rules.md":                 {"+untold`"},
		"scenarios/alias_test.go":                   {"twins: {"},
		"scenarios/scenario.go":                     {`alias:"twins"`},
	}
}

// texts returns the comments and the strings of a file of Go by line.
func texts(s source) map[int]string {
	all := map[int]string{}
	add := func(at token.Pos, text string) {
		for i, line := range strings.Split(text, "\n") {
			all[s.line(at)+i] += " " + line
		}
	}
	for _, group := range s.file.Comments {
		for _, c := range group.List {
			add(c.Pos(), c.Text)
		}
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if _, ok := n.(*ast.ImportSpec); ok {
			return false
		}
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil && strings.Contains(text, " ") {
				add(lit.Pos(), text)
			}
		}
		return true
	})
	return all
}

// dialect lists the expressions in the lines of a file.
func dialect(name string, lines map[int]string) (problems []string) {
	for number, line := range lines {
		if !anyExpression().MatchString(line) {
			continue
		}
		for _, e := range expressions() {
			found := e.found.FindString(line)
			if found == "" || slices.ContainsFunc(allowedExpressions()[name], func(quoted string) bool { return strings.Contains(line, quoted) }) {
				continue
			}
			problems = append(problems, fmt.Sprintf("%s:%d: %q: say %s", name, number, found, e.instead))
		}
	}
	slices.Sort(problems)
	return problems
}

// TestDialect holds that texts use the words of the field: those of Go files, with messages
// and --help, and those of the README and the pages of docs.
func TestDialect(t *testing.T) {
	for _, s := range sources(t, repository()) {
		if s.inTest() || strings.Contains(s.name, "/testdata/") || s.name == "sim/dialect_test.go" {
			continue
		}
		report(t, dialect(s.name, texts(s)))
	}
	for _, name := range files(t, repository(), ".md") {
		text, err := fs.ReadFile(repository(), name)
		require.NoError(t, err)
		lines := map[int]string{}
		for i, line := range strings.Split(string(text), "\n") {
			lines[i+1] = line
		}
		report(t, dialect(name, lines))
	}
}

func report(t *testing.T, problems []string) {
	t.Helper()
	for _, problem := range problems {
		t.Error(problem)
	}
}

func TestDialectCanFail(t *testing.T) {
	const text = "package x\n\n// f tells whether it is so.\nfunc f() string { return \"it cannot be had\" + \"twins\" }\n\n// g reports whether it ended.\nfunc g() {}\n"
	assert.Equal(t, []string{
		`x.go:3: "tells whether": say reports whether, says which`, `x.go:4: "cannot be had": say is available`,
	}, dialect("x.go", texts(parse(t, "x.go", text))))
}
