package reports_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
)

// TestEveryStringIsAnAttack holds the fixture: no string of a run is left out, that of a
// field which comes later neither.
func TestEveryStringIsAnAttack(t *testing.T) {
	assert.Empty(t, harmless(injectedRun(1)))
	assert.NotEmpty(t, harmless(benignRun()))
}

// eachTurn draws a format of hostile runs, until each string has held each attack.
func eachTurn(t *testing.T, format string, judge func(t *testing.T, drawn string)) {
	for turn := range attacks() {
		t.Run(fmt.Sprint(turn), func(t *testing.T) {
			t.Parallel()
			run := injectedRun(turn)
			if strings.HasSuffix(format, ".json") {
				run = view.Sealed(run)
			}
			judge(t, write(t, format, run))
		})
	}
}

// tags are the elements of a page with their attributes, each once; and what is wrong
// with one wherever it is.
func tags(t *testing.T, page string) (found map[string]bool, problems []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	found = map[string]bool{}
	for n := range root.Descendants() {
		if n.Type == html.CommentNode {
			problems = append(problems, "a comment: "+n.Data)
		}
		if n.Type != html.ElementNode {
			continue
		}
		found[n.Data] = true
		for _, a := range n.Attr {
			found[n.Data+" "+a.Key] = true
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				problems = append(problems, fmt.Sprintf("<%s %s=%q>", n.Data, a.Key, a.Val))
			}
			if slices.Contains([]string{"href", "src", "action", "formaction", "data", "srcdoc", "xlink:href"}, a.Key) && !strings.HasPrefix(a.Val, "#") {
				problems = append(problems, fmt.Sprintf("<%s %s=%q> leads out of the page", n.Data, a.Key, a.Val))
			}
		}
	}
	return found, problems
}

// strange are the elements and attributes that a page of words does not have.
func strange(t *testing.T, page, benign string) []string {
	t.Helper()
	ours, _ := tags(t, benign)
	found, problems := tags(t, page)
	for _, tag := range slices.Sorted(maps.Keys(found)) {
		if !ours[tag] {
			problems = append(problems, "strange: "+tag)
		}
	}
	return problems
}

func TestInjectionIntoHTML(t *testing.T) {
	benign := write(t, "report.html", benignRun())
	assert.Empty(t, strange(t, benign, benign))
	assert.NotEmpty(t, strange(t, benign+"<img>", benign))
	assert.NotEmpty(t, strange(t, benign+`<a href="javascript:x">`, benign))
	eachTurn(t, "report.html", func(t *testing.T, page string) {
		assert.Empty(t, strange(t, page, benign))
		assert.Empty(t, acting(page, "\n\t"))
		for id, block := range blocks(t, page) {
			assert.True(t, json.Valid([]byte(block)), "%s is no JSON", id)
		}
	})
}

func TestInjectionIntoJUnit(t *testing.T) {
	eachTurn(t, "junit.xml", func(t *testing.T, text string) {
		assert.Empty(t, junitProblems(text))
		assert.Empty(t, acting(text, "\n\t"))
	})
}

func TestInjectionIntoJSON(t *testing.T) {
	for _, format := range []string{"result.json", "ledger.json"} {
		t.Run(format, func(t *testing.T) {
			eachTurn(t, format, func(t *testing.T, text string) {
				assert.True(t, json.Valid([]byte(text)))
				assert.True(t, utf8.ValidString(text))
			})
		})
	}
}

func TestInjectionIntoText(t *testing.T) {
	for _, format := range []string{"summary.txt", "summary-color.txt"} {
		t.Run(format, func(t *testing.T) {
			eachTurn(t, format, func(t *testing.T, text string) {
				for _, color := range []string{"31;1", "32;1", "33;1", "2", "0"} { // our own
					text = strings.ReplaceAll(text, "\x1b["+color+"m", "")
				}
				assert.Empty(t, acting(text, "\n"))
			})
		})
	}
	assert.NotEmpty(t, acting("a\x1b[2J", "\n"))
	assert.NotEmpty(t, acting("a\u202e", "\n"))
}

// TestInjectionIntoAChain: chain.json is read from disk, so each string of it may be an
// attack, words of closed lists too.
func TestInjectionIntoAChain(t *testing.T) {
	for turn, attack := range attacks() {
		t.Run(fmt.Sprint(turn), func(t *testing.T) {
			v := chain.Verdict{Verdict: term.VerdictWord(attack), Releases: []string{"a", "b"}, Legs: []chain.LegResult{{Verdict: term.VerdictWord(attack)}, {Verdict: term.Fail}}}
			w := rewriter{change: func(string) string { return attack }}
			w.value(reflect.ValueOf(&v).Elem(), "chain")
			var text, suite, raw bytes.Buffer
			require.NoError(t, reports.ChainText(&text, v, reports.TextOptions{ReportPath: attack}))
			require.NoError(t, reports.ChainJUnit(&suite, v, false))
			require.NoError(t, reports.ChainJSON(&raw, v))
			assert.Empty(t, acting(text.String(), "\n"))
			assert.Empty(t, junitProblems(suite.String()))
			assert.Empty(t, acting(suite.String(), "\n\t"))
			assert.True(t, json.Valid(raw.Bytes()))
			assert.True(t, utf8.Valid(raw.Bytes()))
		})
	}
}

// acting lists the characters of a text that do something other than show a glyph.
func acting(text, allowed string) []string {
	found := map[string]bool{}
	for _, r := range text {
		odd := unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point)
		if odd && !strings.ContainsRune(allowed, r) {
			found[fmt.Sprintf("%U", r)] = true
		}
	}
	if !utf8.ValidString(text) {
		found["broken UTF-8"] = true
	}
	return slices.Sorted(maps.Keys(found))
}
