package sweep_test

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	reports "github.com/skewsim/skewsim/reports/sweep"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep"
)

// attacked is the fixture with an attack in each of its texts; words of closed lists stay, and
// what the simulator itself names.
func attacked() sweep.Result {
	r := compared()
	attack(reflect.ValueOf(&r).Elem())
	return r
}

func attack(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			attack(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			attack(v.Field(i))
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
	benign, hostilePage := elements(t, write(t, named(t, "sweep.html"), compared(), gated)), elements(t, write(t, named(t, "sweep.html"), attacked(), gated))
	delete(benign, "a href") // the laps' reports have no address that can be linked
	delete(hostilePage, "a href")
	assert.Equal(t, benign, hostilePage)
	assert.NotEqual(t, benign, elements(t, "<img>"+write(t, named(t, "sweep.html"), compared(), gated)), "an element more is seen")
}

func TestHostileMarkdown(t *testing.T) {
	for i, line := range strings.Split(write(t, named(t, "sweep.md"), attacked(), gated), "\n") {
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

func TestHostileCSV(t *testing.T) {
	r := attacked()
	lines, err := csv.NewReader(strings.NewReader(write(t, named(t, "sweep.csv"), r, gated))).ReadAll()
	require.NoError(t, err)
	require.Len(t, lines, len(r.Rows)+1)
	for _, line := range lines {
		for _, cell := range line {
			assert.False(t, strings.HasPrefix(cell, "="), cell)
			assert.False(t, strings.ContainsAny(cell, "\u202e\x1b\n\r"), cell)
		}
	}
}

func TestHostileText(t *testing.T) {
	text := write(t, reports.File{Write: reports.Text}, attacked(), gated)
	assert.False(t, strings.ContainsAny(text, "\u202e\x1b"))
}

// TestJUnit: each row is a case; those that fail, and those that were not exercised, are what
// the gate and the verdict say.
func TestJUnit(t *testing.T) {
	r := attacked()
	var suites struct {
		Suites []struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Skipped  int `xml:"skipped,attr"`
			Errors   int `xml:"errors,attr"`
		} `xml:"testsuite"`
	}
	read := func(o reports.Options) {
		suites.Suites = nil
		decoder := xml.NewDecoder(strings.NewReader(write(t, named(t, "junit.xml"), r, o)))
		require.NoError(t, decoder.Decode(&suites))
		for err := error(nil); err != io.EOF; _, err = decoder.Token() {
			require.NoError(t, err, "the file is well-formed to its end")
		}
		require.Len(t, suites.Suites, 1)
	}
	skipped := 0
	for _, row := range r.Rows {
		if row.Outcome == term.NotExercised || row.Outcome == term.Indeterminate || row.PreExisting {
			skipped++
		}
	}
	read(gated)
	assert.Equal(t, len(r.Rows), suites.Suites[0].Tests)
	assert.Equal(t, len(r.Failing(gated.FailOn)), suites.Suites[0].Failures)
	assert.Equal(t, skipped, suites.Suites[0].Skipped)
	assert.Zero(t, suites.Suites[0].Errors)
	read(reports.Options{})
	assert.Zero(t, suites.Suites[0].Failures, "no gate fails no row")
	r.Ended = "interrupted"
	read(gated)
	assert.Equal(t, 1, suites.Suites[0].Errors, "what was not played did not pass")
	assert.Equal(t, len(r.Rows)+1, suites.Suites[0].Tests)
}

// TestMarkdownIsShort: a large sweep fits into a comment, and its tables say what they leave out.
func TestMarkdownIsShort(t *testing.T) {
	r := fixture(5000)
	r.Baseline = &sweep.Baseline{File: "old.json"}
	for _, row := range r.Rows {
		r.Baseline.Changes = append(r.Baseline.Changes, sweep.Change{ID: row.ID, Change: term.RowWorse, What: row.ID, Before: term.Kept.Effect(), After: row.Effect})
		r.NotCompared = append(r.NotCompared, "not compared: "+row.ID)
		r.Notes = append(r.Notes, "a note on "+row.ID)
	}
	text := write(t, named(t, "sweep.md"), r, gated)
	assert.Less(t, len(text), 65_000, "what a comment holds")
	left := regexp.MustCompile(`and \d+ more( changes)?, in sweep.html`)
	assert.Len(t, left.FindAllString(text, -1), 7)
	assert.NotContains(t, text, " more, in sweep.html.\n", "each has a part of the room")
	assert.Empty(t, left.FindAllString(write(t, named(t, "sweep.md"), fixture(20), gated), -1))
}

// TestJSONIsWhole: what is written can be read again, and lists are never null.
func TestJSONIsWhole(t *testing.T) {
	r := fixture(60)
	text := write(t, named(t, "sweep.json"), r, gated)
	var again sweep.Result
	require.NoError(t, json.Unmarshal([]byte(text), &again))
	assert.Equal(t, r, again)
	empty := write(t, named(t, "sweep.json"), sweep.Result{Baseline: &sweep.Baseline{}}, gated)
	for _, list := range []string{"rows", "laps", "notCompared", "notes", "changes"} {
		assert.Contains(t, empty, fmt.Sprintf("%q: []", list))
	}
}

// TestNothingDiffers: a sweep without a row is drawn in every format.
func TestNothingDiffers(t *testing.T) {
	r := sweep.Result{SchemaVersion: sweep.SchemaVersion, Old: sweep.Build{Reference: "crd:a"}, New: sweep.Build{Reference: "crd:b"}, Answer: "Nothing differs."}
	for _, f := range append(reports.Files(), reports.File{Name: "text", Write: reports.Text}) {
		assert.NotEmpty(t, write(t, f, r, gated), f.Name)
	}
	page := write(t, named(t, "sweep.html"), r, gated)
	assert.Contains(t, page, "definitions rolled back")
	assert.NotContains(t, write(t, named(t, "sweep.html"), fixture(1), gated), "definitions rolled back", "a control plane has no definitions to roll back")
}
