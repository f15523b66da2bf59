package conformance_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// lockstep sends the same requests to two servers of the same API, at the same
// time, and compares the bytes.
type lockstep struct {
	one, two         *server
	oneMask, twoMask *mask
	compared         int
	differences      []string
}

// pace is for how long of each second requests are begun. Times have whole seconds
// and order managed fields, so both servers must answer in the same one.
const pace = 700 * time.Millisecond

func (l *lockstep) tick() {
	if into := time.Duration(time.Now().Nanosecond()); into > pace {
		time.Sleep(time.Second - into)
	}
}

// headers are those that are part of the answer.
var headers = []string{"Content-Type", "Warning", "Etag", "Vary", "Allow", "Retry-After", "X-Varied-Accept"}

// told is an answer with its headers.
func told(m *mask, a answer) string {
	var b strings.Builder
	fmt.Fprintln(&b, a.code)
	for _, name := range headers {
		for _, value := range a.header.Values(name) {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	b.WriteByte('\n')
	b.Write(a.body)
	return m.hide([]byte(b.String()))
}

// send sends a request to each, and gives the answers.
func (l *lockstep) send(t testing.TB, one, two request, only func([]byte) []byte) (answers [2]answer) {
	t.Helper()
	l.tick()
	var wg sync.WaitGroup
	var errs [2]error
	wg.Go(func() { answers[0], errs[0] = l.one.send(t.Context(), one) })
	wg.Go(func() { answers[1], errs[1] = l.two.send(t.Context(), two) })
	wg.Wait()
	require.NoError(t, errs[0])
	require.NoError(t, errs[1])
	l.compared++
	seen := slices.Clone(answers[:])
	if only != nil {
		seen[0].body, seen[1].body = only(seen[0].body), only(seen[1].body)
	}
	if a, b := told(l.oneMask, seen[0]), told(l.twoMask, seen[1]); a != b {
		l.differences = append(l.differences, fmt.Sprintf("%s %s %s\n%.400s\n%s", one.verb, one.path, one.accept, one.body, firstDifference(a, b)))
	}
	return answers
}

// same sends a request that needs nothing put in.
func (l *lockstep) same(t testing.TB, r request, only func([]byte) []byte) {
	t.Helper()
	l.send(t, r, r, only)
}

// play plays a sequence in a namespace of its own.
func (l *lockstep) play(t testing.TB, version, namespace string, lines []string) {
	t.Helper()
	as := asFrobber()
	as.groupVersion = "frobbing.example.com/" + version
	one, two := newPlayer(l.one, as, namespace), newPlayer(l.two, as, namespace)
	for _, line := range lines {
		s := parseStep(line)
		answers := l.send(t, one.request(t, s), two.request(t, s), nil)
		name, _, _ := strings.Cut(s.name, "/")
		one.read(t, answers[0], name)
		two.read(t, answers[1], name)
	}
}

// firstDifference shows where two texts part.
func firstDifference(a, b string) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	around := func(s string) string { return fmt.Sprintf("%q", s[max(0, at-200):min(len(s), at+200)]) }
	return fmt.Sprintf("of %d and %d bytes, they part at %d:\n%s\n%s", len(a), len(b), at, around(a), around(b))
}

// get asks for the path in each of the encodings.
func (l *lockstep) get(t testing.TB, path string, accepts ...string) {
	t.Helper()
	for _, accept := range append(accepts, "") {
		l.same(t, request{verb: http.MethodGet, path: path, accept: accept}, nil)
	}
}
