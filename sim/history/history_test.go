package history_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

func TestRoundTrip(t *testing.T) {
	w, dir := create(t)
	for _, r := range records() {
		require.NoError(t, w.Write(r))
	}
	_, err := w.Body([]byte(gadget))
	require.NoError(t, err)
	end := history.End{Outcome: history.Finished}
	require.NoError(t, w.Write(history.Record{End: &end}))
	require.NoError(t, w.Close())

	h, err := history.Load(dir)
	require.NoError(t, err)
	want := records()
	for i, line := range []*int{&want[1].Stage.Line, &want[2].Server.Line, &want[3].Operation.Line, &want[4].Listing.Line, &want[5].Change.Line, &want[6].Skip.Line} {
		*line = i + 3 // behind the header and the release
	}
	for i, at := range []*float64{&want[1].Stage.At, &want[2].Server.At, &want[3].Operation.At, &want[4].Listing.At, &want[5].Change.At} {
		*at = []float64{h.Stages[0].At, h.Servers[0].At, h.Operations[0].At, h.Listings[0].At, h.Changes[0].At}[i]
		assert.Positive(t, *at, "the time of its record")
	}
	assert.Equal(t, map[term.Role]history.Release{term.Old: *want[0].Release}, h.Releases)
	assert.Equal(t, []history.Stage{*want[1].Stage}, h.Stages)
	assert.Equal(t, []history.Server{*want[2].Server}, h.Servers)
	assert.Equal(t, []history.Operation{*want[3].Operation}, h.Operations)
	assert.Equal(t, []history.Listing{*want[4].Listing}, h.Listings)
	assert.Equal(t, []history.Change{*want[5].Change}, h.Changes)
	assert.Equal(t, []history.Skip{*want[6].Skip}, h.Skips)
	end.Digest = h.End.Digest
	assert.Len(t, end.Digest, 32)
	assert.Equal(t, &end, h.End)
	assert.Equal(t, history.SchemaVersion, h.Header.SchemaVersion)
	assert.Equal(t, header().Plan, h.Header.Plan, "its integers keep their digits")
	assert.Positive(t, h.Seconds)
	assert.True(t, h.Complete())
}

func TestComplete(t *testing.T) {
	text := written(t)
	whole, err := decode(text)
	require.NoError(t, err)
	assert.True(t, whole.Complete())
	for name, damaged := range map[string]string{
		"interrupted": strings.Replace(text, "finished", "interrupted", 1),
		"no end":      text[:strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1],
		"damaged":     strings.Replace(text, `{"n":2,`, `{"n`, 1),
	} {
		if name == "damaged" {
			damaged = text + "x\n"
		}
		h, err := decode(damaged)
		require.NoError(t, err, name)
		assert.False(t, h.Complete(), name)
	}
}

// TestDamage: a history is read as far as possible, and unreadable parts are reported by line.
func TestDamage(t *testing.T) {
	lines := strings.SplitAfter(written(t), "\n")
	join := func(edit func(all []string) []string) string {
		return strings.Join(edit(append([]string{}, lines...)), "")
	}
	for name, c := range map[string]struct {
		text   string
		damage []string
		skips  int
	}{
		"whole":         {join(func(all []string) []string { return all }), nil, 1},
		"no last break": {strings.TrimSuffix(join(func(all []string) []string { return all }), "\n"), nil, 1},
		"cut last line": {
			join(func(all []string) []string { return append(all, `{"n":11,"at":1,"skip":{"st`) }),
			[]string{"line 11: cut short or damaged: a kill, a full disk or a changed byte ended it"}, 1,
		},
		"middle": {
			join(func(all []string) []string { all[7] = "{\"n\":8,\"at\":1,\n"; return all }),
			[]string{"line 8: damaged: unexpected end of JSON input"}, 0,
		},
		"zeros": {
			join(func(all []string) []string { all[7] = "\x00\x00\n"; return all }),
			[]string{`line 8: damaged: invalid character '\x00' looking for beginning of value`}, 0,
		},
		"wrong type": {
			join(func(all []string) []string { all[7] = `{"n":8,"skip":5}` + "\n"; return all }),
			[]string{"line 8: damaged: json: cannot unmarshal number into Go struct field Record.skip of type history.Skip"}, 0,
		},
		"another value": {
			join(func(all []string) []string {
				all[7] = strings.Replace(all[7], "not created", "not there", 1)
				return all
			}),
			[]string{"line 10: the lines before it are not those that were written: one of them was changed"}, 1,
		},
		"no record": {
			join(func(all []string) []string {
				all[7] = "{\"n\":8,\"at\":1}\n"
				return append(all[:10:10], "{\"n\":11}\n")
			}),
			[]string{"line 8: holds no record", "line 11: stands behind the end", "line 11: holds no record"}, 0,
		},
	} {
		h, err := decode(c.text)
		require.NoError(t, err, name)
		assert.Equal(t, c.damage, h.Damage, name)
		assert.Len(t, h.Skips, c.skips, name)
		assert.NotNil(t, h.End, name)
	}
}

func TestRefused(t *testing.T) {
	noHeader := history.FileName + ": its first line is no header: "
	text := written(t)
	for name, c := range map[string]struct{ text, want string }{
		"empty":         {"", noHeader + "not a history, or cut before the run began"},
		"blank":         {"\n\n", noHeader + "line 1: damaged: unexpected end of JSON input"},
		"no header":     {text[strings.Index(text, "\n")+1:], noHeader + "line 1: is record 2: records before it are missing, or stand elsewhere"},
		"header is cut": {text[:100], noHeader + "line 1: cut short or damaged: a kill, a full disk or a changed byte ended it"},
		"other form": {
			strings.Replace(text, "history/v2", "history/v9", 1),
			`history.jsonl.zst: has form "skewsim.dev/history/v9", and this skewsim reads "skewsim.dev/history/v2" and "skewsim.dev/history/v1"`,
		},
	} {
		h, err := decode(c.text)
		assert.Nil(t, h, name)
		assert.EqualError(t, err, c.want, name)
	}
}

func TestUnreadable(t *testing.T) {
	first, _, _ := strings.Cut(written(t), "\n")
	broken := io.MultiReader(strings.NewReader(first+"\n"), iotest.ErrReader(errors.New("the disk is gone")))
	_, err := history.Decode(broken)
	assert.EqualError(t, err, "history: line 2: the disk is gone")

	dir := t.TempDir()
	_, err = history.Load(dir)
	assert.EqualError(t, err, dir+": holds no history.jsonl.zst: give the directory that a run left (default out/<scenario>)")
	require.NoError(t, os.Mkdir(filepath.Join(dir, history.FileName), 0o700))
	_, err = history.Load(dir)
	assert.EqualError(t, err, "history: "+filepath.Join(dir, history.FileName)+": not a regular file: copy its content into one, and name that")
}

func TestObject(t *testing.T) {
	w, dir := create(t)
	digests := map[string]string{}
	for name, body := range map[string]string{
		"object": `{"n":9007199254740993,"f":1.5}`, "list": `[1]`, "null": `null`, "text": "no JSON",
	} {
		digest, err := w.Body([]byte(body))
		require.NoError(t, err)
		digests[name] = digest
	}
	require.NoError(t, w.Close())
	h, err := history.Load(dir)
	require.NoError(t, err)
	assert.Empty(t, h.Damage)
	assert.Equal(t, map[string]any{"n": int64(9007199254740993), "f": 1.5}, h.Object(digests["object"]))
	for _, name := range []string{"list", "null", "text", "unknown"} {
		assert.Nil(t, h.Object(digests[name]), name)
	}
}

func TestSucceeded(t *testing.T) {
	for code, want := range map[int]bool{0: false, 199: false, 200: true, 299: true, 300: false, 404: false} {
		assert.Equal(t, want, history.Exchange{Code: code}.Succeeded(), code)
	}
}

// TestDone: what a client cannot read is as good as no answer to it.
func TestDone(t *testing.T) {
	for name, c := range map[string]struct {
		o    history.Operation
		done bool
	}{
		"read":            {history.Operation{Exchange: history.Exchange{Code: 201}}, true},
		"refused":         {history.Operation{Exchange: history.Exchange{Code: 409}}, false},
		"no answer":       {history.Operation{Exchange: history.Exchange{Error: "EOF"}}, false},
		"not decoded":     {history.Operation{Exchange: history.Exchange{Code: 200}, Undecoded: "no number"}, false},
		"earlier version": {history.Operation{Exchange: history.Exchange{Code: 200, Error: "old-typed cannot decode the answer"}}, false},
	} {
		assert.Equal(t, c.done, c.o.Done(), name)
	}
}
