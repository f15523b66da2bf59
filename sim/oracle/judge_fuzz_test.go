package oracle_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// damage is one thing that is done to a history's lines. Told damage leaves
// traces that a reader must see: numbers out of order, a line that cannot be
// read. Other damage only changes what a record says.
type damage struct {
	name     string
	reported bool
	do       func(lines [][]byte, at, arg int) [][]byte
}

// damages is the list by which a fuzzer's bytes are read: append only.
func damages() []damage {
	return []damage{
		{"cut", true, func(lines [][]byte, at, arg int) [][]byte {
			cut := lines[at][:arg%len(lines[at])]
			return append(slices.Clone(lines[:at]), cut)
		}},
		{"drop", true, func(lines [][]byte, at, _ int) [][]byte { return slices.Delete(lines, at, at+1) }},
		{"repeat", true, func(lines [][]byte, at, _ int) [][]byte { return slices.Insert(lines, at, lines[at]) }},
		{"swap", true, func(lines [][]byte, at, arg int) [][]byte {
			to := (at + 1 + arg%(len(lines)-1)) % len(lines)
			lines[at], lines[to] = lines[to], lines[at]
			return lines
		}},
		{"zeros", true, func(lines [][]byte, at, _ int) [][]byte {
			lines[at] = append(bytes.Repeat([]byte{0}, len(lines[at])-1), '\n')
			return lines
		}},
		{"flip", false, func(lines [][]byte, at, arg int) [][]byte {
			lines[at] = bytes.Clone(lines[at])
			lines[at][arg%len(lines[at])] ^= 1 << (arg % 8)
			return lines
		}},
		{"member", false, func(lines [][]byte, at, arg int) [][]byte { return editMember(lines, at, arg) }},
		{"member of the header", false, func(lines [][]byte, at, arg int) [][]byte { return editMember(lines, 0, at*256+arg) }},
		{"borrow", false, borrow},
	}
}

// odd is what a member is replaced by.
func odd() []any {
	return []any{nil, "", "a", "b", "old", "new", -1, 0, 1, 7, 200, 404, 500, math.MaxInt32, math.MaxInt64, 1.5, true,
		[]any{}, []any{nil}, map[string]any{}, "act", "look", "read", "create", "put", "get", "list", ".spec", ".spec.volumes[0]", "["}
}

// editMember replaces one member of a record: which, and by what, arg says.
func editMember(lines [][]byte, at, arg int) [][]byte {
	var record any
	dec := json.NewDecoder(bytes.NewReader(lines[at]))
	dec.UseNumber()
	if dec.Decode(&record) != nil {
		return lines
	}
	var slots []func(any)
	collect(record, &slots)
	if len(slots) == 0 {
		return lines
	}
	slots[arg/len(odd())%len(slots)](odd()[arg%len(odd())])
	lines[at] = encoded(record)
	return lines
}

// collect lists the places of all members below v, in the order of their names.
func collect(v any, slots *[]func(any)) {
	switch t := v.(type) {
	case map[string]any:
		for _, name := range sortedNames(t) {
			*slots = append(*slots, func(to any) { t[name] = to })
			collect(t[name], slots)
		}
	case []any:
		for i := range t {
			*slots = append(*slots, func(to any) { t[i] = to })
			collect(t[i], slots)
		}
	}
}

func sortedNames(m map[string]any) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func encoded(v any) []byte {
	line, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was decoded
	}
	return append(line, '\n')
}

// borrow gives a record the content of another: its digests, step, revision,
// code and replica, under its own number.
func borrow(lines [][]byte, at, arg int) [][]byte {
	var own, other map[string]any
	from := (at + 1 + arg) % len(lines)
	if json.Unmarshal(lines[at], &own) != nil || json.Unmarshal(lines[from], &other) != nil || own == nil || other == nil {
		return lines
	}
	other["n"] = own["n"]
	lines[at] = encoded(other)
	return lines
}

// damaged plays a script over a history: for each five bytes, what to do, the
// line, and an argument. It returns what was done.
func damaged(raw, script []byte) (text []byte, done []string, reported bool) {
	lines := slices.Collect(bytes.Lines(raw))
	for len(script) >= 5 && len(lines) > 1 && len(done) < 8 {
		d := damages()[int(script[0])%len(damages())]
		at, arg := int(script[1])<<8|int(script[2]), int(script[3])<<8|int(script[4])
		lines = slices.DeleteFunc(d.do(lines, at%len(lines), arg), func(line []byte) bool { return len(line) == 0 })
		done, reported, script = append(done, d.name), reported || d.reported, script[5:]
	}
	return slices.Concat(lines...), done, reported
}

// judgeDamaged judges what is left of a damaged history, and returns its verdict.
func judgeDamaged(t *testing.T, text []byte, schemas oracle.Schemas) term.VerdictWord {
	h, err := history.Decode(bytes.NewReader(text))
	if err != nil {
		return term.Unknown // the reader is warned
	}
	res, ledger := oracle.Judge(h, schemas)
	if len(text) < 1<<20 { // reports of a whole run take long
		draw(t, reports.New(h, res, ledger))
	}
	return res.Verdict
}

// draw writes every report: what the oracle makes of damage must be drawn, too.
func draw(t *testing.T, r reports.Run) {
	terminal := reports.TextOptions{}
	terminal.Width = 100
	for name, write := range map[string]func(io.Writer, reports.Run) error{
		"HTML": reports.HTML, "Markdown": reports.Markdown, "JUnit": reports.JUnit,
		"text":   func(w io.Writer, r reports.Run) error { return reports.Text(w, r, terminal) },
		"JSON":   func(w io.Writer, r reports.Run) error { return reports.JSON(w, r.Result) },
		"ledger": func(w io.Writer, r reports.Run) error { return reports.LedgerJSON(w, r.Ledger) },
	} {
		if err := write(io.Discard, r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// busy is a journey with every sort of record in it.
func busy(t *testing.T) *oracletest.Run {
	run := oracletest.NewControlled(t)
	w := run.Watch("a")
	run.Create("treated-1", oracletest.ShineSpec)
	run.Put("treated-1", oracletest.By(term.OldTyped), oracletest.ReadVia("b"), oracletest.Via("a"))
	run.StatusPatch("control-1", oracletest.Via("b"))
	run.Create("secret-1", `{}`, oracletest.Of("secret"))
	run.Probe(run.Get("treated-1"), "b", 500)
	w.CatchUp().Send(history.WatchBookmark, "", run.Head)
	run.DryRuns("control-1", "treated-1")
	run.Delete("control-2")
	run.Observe()
	run.ReadScratchStores()
	run.Exit("b")
	run.Stage("new", term.New, term.New)
	run.Patch("treated-1", oracletest.Respond(scenarios.Respond{Warnings: []string{"x"}}), oracletest.Warned("x"))
	run.Observe()
	w.CatchUp().Fail(410, "too old")
	return run
}

// text is a run's history as it would be written.
func text(run *oracletest.Run) []byte {
	run.History.Header.SchemaVersion = history.SchemaVersion
	records := []history.Record{}
	for i := range run.History.Watches {
		records = append(records, history.Record{Watch: &run.History.Watches[i]})
	}
	for i := range run.History.Trials {
		records = append(records, history.Record{Trial: &run.History.Trials[i]})
	}
	lines := lines(run)
	last := len(lines) - 1
	var all []byte
	for i, r := range append(records, history.Record{End: run.History.End}) {
		r.N = last + i + 1
		all = append(all, encoded(r)...)
	}
	return append([]byte(strings.Join(lines[:last], "")), all...)
}

// subject is a history to be damaged.
type subject struct {
	raw     []byte
	schemas oracle.Schemas
}

var (
	makeSubjects sync.Once
	subjects     []subject
)

// subjectsOf are, made once: a run that passes, one of every sort of record,
// and few copies of a recorded run.
func subjectsOf(t *testing.T) []subject {
	makeSubjects.Do(func() {
		calm, full, real := oracletest.NewQuiet(t), busy(t), recordedFew(t)
		whole := []byte(strings.Join(lines(real), ""))
		subjects = []subject{{text(calm), calm.Schemas}, {text(full), full.Schemas}, {whole, real.Schemas}}
	})
	if subjects == nil {
		t.Fatal("the histories were not made")
	}
	return subjects
}

// script writes one piece of damage as the bytes that damaged reads.
func script(name string, at, arg int) []byte {
	i := slices.IndexFunc(damages(), func(d damage) bool { return d.name == name })
	return []byte{byte(i), byte(at >> 8), byte(at), byte(arg >> 8), byte(arg)}
}

// TestSubjects holds that two of the histories pass as they are: else that
// damage does not pass would say nothing.
func TestSubjects(t *testing.T) {
	for i, want := range []term.VerdictWord{term.Pass, term.Fail, term.Pass} {
		subject := subjectsOf(t)[i]
		if got := judgeDamaged(t, subject.raw, subject.schemas); got != want {
			t.Errorf("history %d: %s, want %s", i, got, want)
		}
	}
}

// FuzzJudge holds that no damage to a history makes the oracle panic, and that
// a history whose lines were cut, dropped, repeated or moved never passes.
func FuzzJudge(f *testing.F) {
	for i, d := range damages() {
		for _, at := range []int{0, 1, 7, 30, 60, 65535} {
			f.Add(byte(i+at)%2, script(d.name, at, 4711+at), false)
		}
		f.Add(byte(2), script(d.name, 1000, 4711), false) // a whole run takes longer
	}
	f.Add(byte(1), slices.Concat(script("borrow", 50, 3), script("member", 20, 400), script("flip", 3, 9)), true)
	f.Fuzz(func(t *testing.T, which byte, plan []byte, blind bool) {
		t.Parallel()
		subject := subjectsOf(t)[int(which)%3]
		text, done, reported := damaged(subject.raw, plan)
		if blind { // the schemas are gone too
			subject.schemas = oracle.Schemas{}
		}
		verdict := judgeDamaged(t, text, subject.schemas)
		if reported && verdict == term.Pass && !bytes.Equal(text, subject.raw) {
			t.Errorf("%q passes", done)
		}
	})
}
