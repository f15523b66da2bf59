package preflight_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	reports "github.com/skewsim/skewsim/reports/preflight"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
)

// attacked is the fixture with an attack in each of its texts, and a very long name; words of
// closed lists stay.
func attacked() preflight.Result {
	r := fixture(3)
	for i := range r.Hops {
		r.Hops[i].Written = map[string]int{"ClusterRole": 4, hostile: 2}
	}
	attack(reflect.ValueOf(&r).Elem())
	r.Hops[1].Findings[4].Name = strings.Repeat("n", 10_000)
	r.Hops[1].Findings[4].Message = strings.Repeat("\x00\u202e", 5_000)
	return r
}

func attack(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				attack(v.Field(i))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			attack(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			attack(v.Index(i))
		}
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() && v.String() != "" {
			v.SetString("=" + hostile + v.String())
		}
	}
}

// elements counts the elements of a page by name and attributes.
func elements(t *testing.T, page string) map[string]int {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	found := map[string]int{}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		name := n.Data
		for _, a := range n.Attr {
			name += " " + a.Key
		}
		found[name]++
	}
	return found
}

func TestHostileHTML(t *testing.T) {
	benign := fixture(3)
	for i := range benign.Hops {
		benign.Hops[i].Written = map[string]int{"ClusterRole": 4, "x": 2}
	}
	hurt := attacked()
	// What was attacked in kinds is no longer a kind of objects that expire, and so is in no line.
	hurt.Hops[1].Findings[4].Kind = benign.Hops[1].Findings[4].Kind
	want, got := elements(t, write(t, named(t, reports.Page), benign, reports.Options{})), elements(t, write(t, named(t, reports.Page), hurt, reports.Options{}))
	want["p class"], got["p class"] = 0, 0
	assert.Equal(t, want, got)
	assert.False(t, strings.ContainsAny(write(t, named(t, reports.Page), hurt, reports.Options{}), "\x1b\u202e"))
}

func TestHostileMarkdown(t *testing.T) {
	text := write(t, named(t, "preflight.md"), attacked(), reports.Options{})
	assert.Less(t, len(text), 65_000)
	for i, line := range strings.Split(text, "\n") {
		plain := withoutCode(line)
		for _, active := range []string{"<img", "</script", "@admin", "](", "\u202e", "\x1b"} {
			assert.NotContains(t, plain, active, "line %d: %s", i, line)
		}
	}
}

// withoutCode is a line without its code spans, in which nothing has a meaning.
func withoutCode(line string) string {
	var plain strings.Builder
	for line != "" {
		at := strings.IndexByte(line, '`')
		if at < 0 {
			break
		}
		fence := line[at : at+len(line[at:])-len(strings.TrimLeft(line[at:], "`"))]
		plain.WriteString(line[:at])
		rest := line[at+len(fence):]
		end := strings.Index(rest, fence)
		if end < 0 {
			line = rest
			break
		}
		line = strings.TrimLeft(rest[end:], "`")
	}
	return plain.String() + line
}

func TestHostileText(t *testing.T) {
	text := write(t, summary, attacked(), reports.Options{})
	assert.False(t, strings.ContainsAny(text, "\u202e\x1b\x00"))
	for _, line := range strings.Split(text, "\n") {
		assert.Less(t, len(line), 3000)
	}
}

// junitFile is what the tests read of junit.xml.
type junitFile struct {
	Suites []struct {
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	} `xml:"testsuite"`
}

type junitCase struct {
	Name    string    `xml:"name,attr"`
	Class   string    `xml:"classname,attr"`
	Failure *struct{} `xml:"failure"`
	Error   *struct{} `xml:"error"`
	Skipped *struct{} `xml:"skipped"`
}

func readJUnit(t *testing.T, r preflight.Result) (all junitFile) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(write(t, named(t, "junit.xml"), r, reports.Options{})))
	require.NoError(t, decoder.Decode(&all))
	for err := error(nil); err != io.EOF; _, err = decoder.Token() {
		require.NoError(t, err, "the file is well-formed to its end")
	}
	return all
}

// TestJUnit: what is blocked fails, and what was not played does not pass.
func TestJUnit(t *testing.T) {
	all := readJUnit(t, fixture(3))
	require.Len(t, all.Suites, 2)
	assert.Zero(t, all.Suites[0].Failures+all.Suites[0].Errors)
	assert.Equal(t, 1, all.Suites[0].Skipped, "what the source cannot show did not pass")
	blocked := 5 // up, and a case for each class that blocks
	assert.Equal(t, blocked, all.Suites[1].Failures)
	assert.Equal(t, 2, all.Suites[1].Skipped, "nor did what is indeterminate")
	whole := fixture(1)
	whole.Source.CannotSee, whole.Source.NotRead = nil, []string{"secrets"}
	cases := readJUnit(t, whole).Suites[0].Cases
	assert.True(t, slices.ContainsFunc(cases, func(c junitCase) bool { return c.Name == "what was not read" && c.Skipped != nil }))
	assert.False(t, slices.ContainsFunc(cases, func(c junitCase) bool { return c.Name == "what the source cannot show" }))
	assert.Zero(t, all.Suites[1].Errors)
	for _, r := range []preflight.Result{{}, {Ended: "killed"}, rollback()} {
		all := readJUnit(t, r)
		assert.Equal(t, 1, all.Suites[len(all.Suites)-1].Errors)
	}
	unplayed := rollback()
	unplayed.Ended = ""
	for _, c := range readJUnit(t, unplayed).Suites[0].Cases {
		if c.Class == "skewsim.preflight.direction" || c.Name == "no finding" {
			assert.True(t, c.Error != nil || c.Skipped != nil || c.Failure != nil, "%s was not played to its end", c.Name)
		}
	}
	readJUnit(t, attacked())
}

// TestMarkdownIsShort: a large preflight fits into a comment, and its tables say what they leave out.
func TestMarkdownIsShort(t *testing.T) {
	r := fixture(2)
	h := r.Hops[1]
	h.Findings = nil
	for i := range 600 {
		f := stories()[i%10]
		f.Name, f.Message = fmt.Sprint(i), fmt.Sprintf("a long message %d %s", i, strings.Repeat("word ", 40))
		h.Findings = append(h.Findings, f)
		h.Kinds = append(h.Kinds, preflight.Kind{Group: "g", Kind: fmt.Sprint("Kind", i), Objects: 1, Outcomes: map[term.Outcome]int{term.Lost: 1}})
		h.PointOfNoReturn = append(h.PointOfNoReturn, preflight.Threshold{What: f.Message})
		r.Source.Skipped = append(r.Source.Skipped, f.Message)
	}
	h.Baseline = h.Findings
	for _, hops := range []int{1, 3, 40} {
		r.Hops = nil
		for range hops {
			r.Hops = append(r.Hops, h)
		}
		text := write(t, named(t, "preflight.md"), r, reports.Options{})
		assert.Less(t, len(text), 65_000, "what a comment holds")
		assert.Contains(t, text, " more, in preflight.html")
	}
}

// TestThresholdsOnTerminal: at most ten lines, and the rest is counted.
func TestThresholdsOnTerminal(t *testing.T) {
	r := fixture(1)
	r.Hops = r.Hops[1:]
	r.Hops[0].Defaulted, r.Hops[0].Deleted = nil, nil
	for i := range 40 {
		r.Hops[0].PointOfNoReturn = append(r.Hops[0].PointOfNoReturn, preflight.Threshold{What: fmt.Sprint("write ", i)})
	}
	text := write(t, summary, r, reports.Options{})
	assert.Equal(t, 9, strings.Count(text, "\n    - "))
	assert.Contains(t, text, "and 35 more writes")
}

// TestNeverSafe: no format says that an upgrade is safe.
func TestNeverSafe(t *testing.T) {
	clean := fixture(1)
	clean.Hops = clean.Hops[:1]
	for _, r := range []preflight.Result{clean, fixture(2), rollback(), {}} {
		for _, f := range append(reports.Files(), summary) {
			assert.NotRegexp(t, `(?i)\bsafe(ly)?\b`, write(t, f, r, reports.Options{}), f.Name)
		}
	}
}

// TestJSONIsWhole: what is written can be read again, and lists are never null.
func TestJSONIsWhole(t *testing.T) {
	for _, r := range []preflight.Result{fixture(3), attacked()} {
		var again preflight.Result
		require.NoError(t, json.Unmarshal([]byte(write(t, named(t, reports.Data), r, reports.Options{})), &again))
		want, err := json.Marshal(r)
		require.NoError(t, err)
		got, err := json.Marshal(again)
		require.NoError(t, err)
		assert.Equal(t, strings.ReplaceAll(string(want), "null", "[]"), string(got))
	}
	empty := write(t, named(t, reports.Data), preflight.Result{Hops: []preflight.Hop{{}}}, reports.Options{})
	for _, list := range []string{"cannotSee", "removed", "skipped", "answers", "pointOfNoReturn", "kinds", "findings", "baseline", "phases"} {
		assert.Contains(t, empty, fmt.Sprintf("%q: []", list))
	}
	assert.NotContains(t, empty, "null")
}
