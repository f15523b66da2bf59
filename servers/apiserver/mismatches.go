package apiserver

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Mismatch is a difference between hand-written and declarative validation that a server logged
// of its own answers. Each raises the metric
// apiserver_validation_declarative_validation_mismatch_total.
type Mismatch struct {
	// Extra says that declarative validation refuses more; if not, it refuses less.
	Extra bool
	// Shadowed says that the server answers with hand-written validation, so that nobody is
	// affected yet.
	Shadowed bool
	Error    string // such as Invalid value
	Field    string // without indices
	Count    int
}

// mismatch is a line of a log. The log escapes quotes.
var (
	mismatch = regexp.MustCompile(`hand written validation and declarative validation .*?(unmatched|extra) error\(s\) found \{Type=\\?"([^"\\]*)\\?", Field=\\?"([^"\\]*)\\?"(.*)`)
	index    = regexp.MustCompile(`\[[^]]*\]`)
)

// Mismatches returns the mismatches that a server's log contains, the most frequent ones first.
func Mismatches(log io.Reader) ([]Mismatch, error) {
	counts := map[Mismatch]int{}
	lines := bufio.NewReader(log)
	for {
		line, err := lines.ReadString('\n')
		if m := mismatch.FindStringSubmatch(line); m != nil {
			counts[Mismatch{Extra: m[1] == "extra", Shadowed: strings.Contains(m[4], "hand written validation is authoritative"), Error: m[2], Field: index.ReplaceAllString(m[3], "[]")}]++
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	var all []Mismatch
	for m, n := range counts {
		m.Count = n
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b Mismatch) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Field, b.Field), cmp.Compare(a.Error, b.Error), cmp.Compare(fmt.Sprint(a.Extra, a.Shadowed), fmt.Sprint(b.Extra, b.Shadowed)))
	})
	return all, nil
}
