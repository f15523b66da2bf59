package fuzz

import (
	"bytes"
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestCutShort: an object is not called the smallest if its shrinking was cut short, and is
// if shrinking ended by itself.
func TestCutShort(t *testing.T) {
	for _, cut := range []bool{true, false} {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		shrinking := false
		g := &fakeServer{before: func(_ *fakeServer, method string, _ map[string]any) int {
			if method != http.MethodPut {
				return 0
			}
			if shrinking && cut {
				stop() // the answer to this one may still be read
			}
			return http.StatusForbidden
		}}
		l := gadgetLap(t, g, 1)
		trips, err := l.all(ctx)
		require.NoError(t, err)
		shrinking = true
		err = l.conclude(ctx, trips, nil)
		assert.Equal(t, cut, err != nil)
		l.result.judge()
		require.Equal(t, term.Fail, l.result.Verdict)
		f := l.result.Violations()[0]
		assert.Equal(t, cut, f.Larger != "", f.Larger)
		f.File = "x.yaml"
		l.result.Findings[0] = f
		var text bytes.Buffer
		require.NoError(t, Text(&text, *l.result))
		assert.Equal(t, !cut, bytes.Contains(text.Bytes(), []byte("smallest object that shows it: x.yaml")))
	}
}

// TestMostTried: an object is not called the smallest either if the limit of tries ended
// its shrinking.
func TestMostTried(t *testing.T) {
	labels := map[string]any{}
	for _, a := range "abcdefghijklmnopqrstuvwxyz" {
		labels[string(a)] = "x"
	}
	for few, tried := range map[bool]bool{true: false, false: true} {
		g := &fakeServer{before: func(_ *fakeServer, method string, object map[string]any) int {
			metadata, _ := object["metadata"].(map[string]any)
			if has, _ := metadata["labels"].(map[string]any); method == http.MethodPut && (few || len(has) == len(labels)) {
				return http.StatusForbidden
			}
			return 0
		}}
		l := gadgetLap(t, g, 1)
		l.turns = NewTurns(term.New, func(context.Context, term.Role) error { return nil })
		j := &journey{traveller: l.traveller(Object{"Gadget", 0}), accepted: true, done: true}
		j.object = map[string]any{"apiVersion": "v1", "kind": "Gadget", "metadata": map[string]any{"labels": labels}, "spec": map[string]any{"size": int64(1)}}
		j.facts = []Fact{{Check: term.CheckStaysWritable, Class: term.Violation, Through: j.traveller.Origin, Wrote: true, Code: http.StatusForbidden, Diff: Difference{Outcome: term.Frozen}}}
		small := l.smallest(t.Context(), j, j.object, j.facts[0])
		require.True(t, small.shown)
		assert.Equal(t, tried, small.larger != "", small.larger)
	}
}

// TestRefusedSmaller: a smaller object that a server refuses does not end the search.
func TestRefusedSmaller(t *testing.T) {
	g := &fakeServer{before: func(_ *fakeServer, method string, object map[string]any) int {
		spec, _ := object["spec"].(map[string]any)
		switch _, has := spec["colour"]; {
		case method == http.MethodPost && !has:
			return http.StatusUnprocessableEntity
		case method == http.MethodPut:
			return http.StatusForbidden
		}
		return 0
	}}
	l := gadgetLap(t, g, 1)
	j := &journey{traveller: l.traveller(Object{"Gadget", 0}), accepted: true, done: true}
	j.object = map[string]any{"apiVersion": "v1", "kind": "Gadget", "metadata": map[string]any{}, "spec": map[string]any{"size": int64(1), "colour": "a", "shape": "b"}}
	found := Fact{Check: term.CheckStaysWritable, Class: term.Violation, Through: j.traveller.Origin, Wrote: true, Code: http.StatusForbidden, Diff: Difference{Outcome: term.Frozen}}
	small := l.smallest(t.Context(), j, j.object, found)
	assert.Equal(t, []any{true, ""}, []any{small.shown, small.larger})
	assert.Equal(t, map[string]any{"size": int64(1), "colour": "a"}, small.object["spec"])
}
