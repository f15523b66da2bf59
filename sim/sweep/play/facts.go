package play

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/sweep"
)

// fact is one thing that a release reads otherwise than the release which stored the value.
type fact struct {
	effect     term.Effect
	apiVersion string // the stored one of an undecodable value, or the one that both were read in
	kind       string
	by         term.Role // that stored the value
	held       string    // the path in the value; "": the whole value
	field      string    // held as differences spell it
	encodings  []term.Encoding
	// cause and message are of an undecodable value; the message is the server's.
	cause   term.Cause
	message string
	// does is what a server does that reads the value at the key of the store.
	does, key string
}

// facts returns what was read otherwise, each fact once for both encodings. What only the reader
// shows does not count: it fills in defaults, and fields that it always writes.
func facts(rows []FixtureRow) (all []fact) {
	for _, r := range rows {
		f := fact{effect: term.Undecodable.Effect(), apiVersion: r.APIVersion, kind: r.Kind, by: r.WrittenBy}
		if r.Undecodable() && isDecided(r.Reader()) {
			f.cause, f.message = causeOf(r), r.Reader().Message
			switch {
			case r.Reader().Panicked:
				f.effect, f.cause, f.does = term.Panicked.Effect(), "", "panics"
			case r.Reader().Ended:
				f.effect, f.cause, f.does = term.Panicked.Effect(), "", "ends"
			}
			f.key = r.Key
			all = joined(all, f, r.Encoding)
		}
		f.apiVersion, f.cause, f.message, f.does, f.key = r.Reader().APIVersion, "", "", "", ""
		for is, paths := range map[term.Effect][]string{term.Hidden.Effect(): r.Hidden, term.Changed.Effect(): r.Changed} {
			for _, at := range paths {
				f.effect, f.held, f.field = is, at, sweep.FieldOf(at)
				all = joined(all, f, r.Encoding)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b fact) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.apiVersion, b.apiVersion), cmp.Compare(a.held, b.held), cmp.Compare(a.by, b.by))
	})
	return all
}

// isDecided reports whether an answer says that the value cannot be read. A server that is busy, or
// does not answer, or whose store fails, says nothing of the value.
func isDecided(of Reading) bool {
	if strings.HasPrefix(of.Message, "etcdserver: ") {
		return false
	}
	return of.Decodes || of.Panicked || of.Ended || of.Code == http.StatusInternalServerError || of.Code == http.StatusNotFound
}

// causeOf is why a release cannot read a value: it looks for it under another key, it does not know
// the stored version, or it reads that version otherwise.
func causeOf(r FixtureRow) term.Cause {
	switch reader := r.Reader(); {
	case reader.Code == http.StatusNotFound:
		return term.KeyMissing
	case reader.APIVersion != r.APIVersion:
		return term.BadVersion
	}
	return term.BadEncoding
}

// joined adds a fact in an encoding.
func joined(all []fact, f fact, encoding term.Encoding) []fact {
	i := slices.IndexFunc(all, func(o fact) bool {
		return o.effect == f.effect && o.apiVersion == f.apiVersion && o.kind == f.kind && o.by == f.by && o.held == f.held
	})
	if i < 0 {
		i, all = len(all), append(all, f)
	}
	all[i].encodings = append(all[i].encodings, encoding)
	return all
}

// isOf reports whether a difference explains a fact, at any of its places.
func (f fact) isOf(d diff.Difference) bool {
	if f.isShownBy(d) {
		return true
	}
	return f.held != "" && slices.ContainsFunc(d.Places, func(p diff.Place) bool {
		own := d
		own.Group, own.Version = sweep.CutAPIVersion(p.APIVersion)
		own.Kind, own.Path = p.Kind, p.Path
		return f.isShownBy(own)
	})
}

// isShownBy reports whether a fact is about a difference at its representative place.
func (f fact) isShownBy(d diff.Difference) bool {
	group, version := sweep.CutAPIVersion(f.apiVersion)
	if d.Group != group || d.Kind != f.kind && d.Kind != "" {
		return false
	}
	only := map[term.Role][]term.DifferenceKind{
		term.New: {term.VersionAdded, term.KindAdded, term.FieldAdded}, term.Old: {term.VersionRemoved, term.KindRemoved, term.FieldRemoved},
	}[f.by]
	switch kind := d.Difference; f.effect {
	case term.Undecodable.Effect(), term.Panicked.Effect():
		return kind == term.StorageChanged || slices.Contains(only[:2], kind) && d.Version == version
	case term.Hidden.Effect():
		return kind == only[2] && d.Version == version && sweep.Within(d.Path, f.field)
	default:
		return (kind == term.TypeChanged || kind == term.TagChanged || kind == term.DefaultChanged) && d.Version == version && sweep.Within(f.field, d.Path)
	}
}

// cell says what was done, and what came out.
func (f fact) cell() sweep.Cell {
	reader := f.by.Other()
	c := sweep.Cell{
		Write: fmt.Sprintf("no write: stored as %s by the %s release, read by the %s one", f.encoded(), f.by, reader),
		Path:  f.held, Effect: f.effect,
	}
	switch f.effect {
	case term.Undecodable.Effect():
		c.Cause = f.cause
		c.Message = fmt.Sprintf("the %s release cannot read the %s that the %s release stores as %s: %s", reader, f.kind, f.by, f.apiVersion, f.message)
	case term.Panicked.Effect():
		c.Message = fmt.Sprintf("a server of the %s release %s when it reads the %s that the %s release stores as %s at %s: %s", reader, f.does, f.kind, f.by, f.apiVersion, f.key, f.message)
	case term.Hidden.Effect():
		c.Message = fmt.Sprintf("the %s release does not show %s of what the %s release stores", reader, f.held, f.by)
	default:
		c.Message = fmt.Sprintf("the %s release shows another value at %s of what the %s release stores", reader, f.held, f.by)
	}
	return c
}

// encoded names the encodings of the value.
func (f fact) encoded() string {
	words := make([]string, len(f.encodings))
	for i, e := range f.encodings {
		words[i] = map[term.Encoding]string{term.JSON: "JSON"}[e]
		words[i] = cmp.Or(words[i], string(e))
	}
	return strings.Join(words, " and as ")
}
