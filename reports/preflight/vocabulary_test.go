package preflight_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	reports "github.com/skewsim/skewsim/reports/preflight"
	"github.com/skewsim/skewsim/sim/preflight"
)

// notSentences are texts of the code that no report shows.
var notSentences = regexp.MustCompile(`[\\^$|\n\t]|%q|regexp|^\w+ $`)

// TestShareKeepsOurWords: every word of the sentences that the simulator writes itself stays in what is
// shared.
func TestShareKeepsOurWords(t *testing.T) {
	words := 0
	const cluster = "servers/cluster/" // what it skips
	for _, room := range []string{"sim/preflight/*.go", "sim/preflight/play/*.go", "sim/preflight/play/*.go", cluster + "each.go", cluster + "resources.go", cluster + "aggregated.go"} {
		files, err := filepath.Glob(filepath.Join("..", "..", room))
		require.NoError(t, err)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") || filepath.Base(name) == "vocabulary.go" {
				continue
			}
			for _, sentence := range sentencesOf(t, name) {
				for _, w := range regexp.MustCompile(`[A-Za-z]{2,}`).FindAllString(sentence, -1) {
					words++
					shared, err := reports.Withheld(preflight.Result{Ended: w})
					require.NoError(t, err)
					assert.Equal(t, w, shared.Ended, "%s: %s", name, sentence)
				}
			}
		}
	}
	assert.Greater(t, words, 300)
}

// sentencesOf returns the texts of a file that have a space, without their verbs.
func sentencesOf(t *testing.T, name string) (all []string) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, is := n.(*ast.BasicLit); is && literal.Kind == token.STRING && literal.Value[0] == '"' {
			value, err := strconv.Unquote(literal.Value)
			if err == nil && strings.Contains(value, " ") && !notSentences.MatchString(value) {
				all = append(all, regexp.MustCompile(`%[-+.0-9]*[a-z]|\{[a-z]+\}|\S*[A-Za-z][-./_]\S*`).ReplaceAllString(value, " "))
			}
		}
		return true
	})
	return all
}
