package play

import (
	"context"
	"net/http"
	"slices"

	"golang.org/x/sync/errgroup"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/schema"
)

// FixtureRelease is a server of one release over a scratch store of its own.
type FixtureRelease struct {
	Server    FixtureServer
	Resources []published.Resource
	// Put stores a value in the server's store, Remove removes it.
	Put    func(ctx context.Context, key string, value []byte) error
	Remove func(ctx context.Context, key string) error
}

// Reading is what one release answers to a GET of a value.
type Reading struct {
	APIVersion string `json:"apiVersion,omitempty"` // of the request
	Code       int    `json:"code,omitempty"`
	Message    string `json:"message,omitempty"` // of an answer that is not 200
	// Served reports whether the release serves the resource at all.
	Served  bool `json:"served"`
	Decodes bool `json:"decodes"`
	// Panicked reports that the server panicked over the value.
	Panicked bool `json:"panicked,omitempty"`
	// Ended reports that the server gave no answer, with no other value in its store, and answers other
	// requests.
	Ended bool `json:"ended,omitempty"`

	object map[string]any
}

// FixtureRow is what both releases read of one value.
type FixtureRow struct {
	APIVersion string        `json:"apiVersion"` // the stored version
	Kind       string        `json:"kind"`
	Plural     string        `json:"plural"`
	Key        string        `json:"key"`
	WrittenBy  term.Role     `json:"writtenBy"`
	Encoding   term.Encoding `json:"encoding"`
	Old        Reading       `json:"old"`
	New        Reading       `json:"new"`
	// Hidden are the fields that the release which wrote the value shows, and the other does not;
	// Changed those that the other shows with another value; Added those that only the other
	// shows. They are empty if the releases serve no version in common.
	Hidden  []string `json:"hidden,omitempty"`
	Changed []string `json:"changed,omitempty"`
	Added   []string `json:"added,omitempty"`
}

// Undecodable reports whether the release that did not write the value serves the resource and
// cannot read the value, although its writer can.
func (r FixtureRow) Undecodable() bool {
	writer, reader := r.New, r.Reader()
	if r.WrittenBy == term.Old {
		writer = r.Old
	}
	return writer.Decodes && reader.Served && !reader.Decodes
}

// Reader returns what the release that did not write the value answers.
func (r FixtureRow) Reader() Reading {
	if r.WrittenBy == term.Old {
		return r.New
	}
	return r.Old
}

// FixtureServer answers requests. One that ends under a value is started again by whoever passes it: else all
// later values have no answer.
type FixtureServer interface {
	Do(ctx context.Context, r client.Request) client.Answer
}

// agent is the client of reads in the servers' logs.
const agent = "skewsim-stored-bytes"

// atOnce is how many values are read at once.
const atOnce = 8

// ReadFixtures has both releases read the values that either of them stores.
func ReadFixtures(ctx context.Context, old, new FixtureRelease, byOld, byNew []Fixture) ([]FixtureRow, error) {
	var rows []FixtureRow
	for _, side := range []struct {
		role     term.Role
		fixtures []Fixture
	}{{term.New, byNew}, {term.Old, byOld}} {
		read := make([]FixtureRow, len(side.fixtures))
		for _, encoding := range []term.Encoding{term.Protobuf, term.JSON} { // both have one key
			group, working := errgroup.WithContext(ctx)
			group.SetLimit(atOnce)
			for i, f := range side.fixtures {
				if f.Encoding == encoding {
					group.Go(func() error {
						return fault.Guard(func() (err error) { read[i], err = readOne(working, old, new, f, side.role); return err })
					})
				}
			}
			err := group.Wait()
			for i := range read {
				if err == nil && side.fixtures[i].Encoding == encoding && read[i].isUnanswered() {
					read[i], err = readAlone(ctx, old, new, side.fixtures[i], side.role)
				}
			}
			if err != nil {
				return rows, err
			}
		}
		rows = append(rows, read...)
	}
	return rows, nil
}

// readAlone reads one value again: of several that were read at the same time, any may have ended a
// server that did not answer.
func readAlone(ctx context.Context, old, new FixtureRelease, f Fixture, by term.Role) (FixtureRow, error) {
	row, err := readOne(ctx, old, new, f, by)
	row.Old.Ended = row.Old.isUnanswered() && old.answers(ctx)
	row.New.Ended = row.New.isUnanswered() && new.answers(ctx)
	return row, err
}

func (r FixtureRow) isUnanswered() bool { return r.Old.isUnanswered() || r.New.isUnanswered() }

// isUnanswered reports whether the server gave no answer at all.
func (r Reading) isUnanswered() bool { return r.Served && r.Code == 0 && !r.Panicked }

// answers reports whether the server answers a request for no value.
func (r FixtureRelease) answers(ctx context.Context) bool {
	return r.Server.Do(ctx, client.Request{Method: http.MethodGet, Path: "/version", UserAgent: agent}).Succeeded()
}

// readOne has both releases read one value.
func readOne(ctx context.Context, old, new FixtureRelease, f Fixture, by term.Role) (FixtureRow, error) {
	row := FixtureRow{APIVersion: f.APIVersion, Kind: f.Kind, Plural: f.Plural, Key: f.Key, WrittenBy: by, Encoding: f.Encoding}
	oldVersions, newVersions := f.served(old.Resources), f.served(new.Resources)
	common := slices.DeleteFunc(slices.Clone(newVersions), func(v string) bool { return !slices.Contains(oldVersions, v) })
	var err error
	if row.Old, err = old.read(ctx, f, choose(f, common, oldVersions)); err != nil {
		return row, err
	}
	if row.New, err = new.read(ctx, f, choose(f, common, newVersions)); err != nil {
		return row, err
	}
	if row.Old.Decodes && row.New.Decodes && row.Old.APIVersion == row.New.APIVersion {
		writer, reader := row.New.object, row.Old.object
		if by == term.Old {
			writer, reader = reader, writer
		}
		d := schema.Kind{}.Compare(writer, reader)
		row.Hidden, row.Changed, row.Added = d.Hidden, d.Changed, d.Added
	}
	row.Old.object, row.New.object = nil, nil // hundreds of them would stay in memory
	return row, nil
}

// choose returns the version to read a value in: the stored one, or one that both releases
// serve, or any; "" without any.
func choose(f Fixture, common, served []string) string {
	switch {
	case slices.Contains(common, f.APIVersion):
		return f.APIVersion
	case len(common) > 0:
		return common[0]
	case slices.Contains(served, f.APIVersion):
		return f.APIVersion
	case len(served) > 0:
		return served[0]
	}
	return ""
}

// read stores a value for a moment, and reads it through the server.
func (r FixtureRelease) read(ctx context.Context, f Fixture, apiVersion string) (Reading, error) {
	if apiVersion == "" {
		return Reading{}, nil
	}
	if err := r.Put(ctx, f.Key, f.Value); err != nil {
		return Reading{}, err
	}
	namespace, name := f.name()
	at := client.Resource{APIVersion: apiVersion, Plural: f.Plural, Namespace: namespace}
	get := client.Request{Method: http.MethodGet, Path: at.Object(name), UserAgent: agent}
	a := r.Server.Do(ctx, get)
	if a.Panic == nil && (a.Err != nil || a.Code == http.StatusInternalServerError) { // the store, or the connection, may have failed for a moment
		a = r.Server.Do(ctx, get)
	}
	if err := r.Remove(ctx, f.Key); err != nil {
		return Reading{}, err
	}
	reading := Reading{APIVersion: apiVersion, Code: a.Code, Served: true, Decodes: a.Succeeded() && a.Panic == nil}
	switch {
	case a.Panic != nil:
		reading.Panicked, reading.Message = true, a.Panic.Value
		return reading, ctx.Err()
	case !a.Succeeded():
		reading.Message = a.Text()
		return reading, ctx.Err()
	}
	if err := utiljson.Unmarshal(a.Body, &reading.object); err != nil {
		reading.Decodes, reading.Message = false, err.Error()
	}
	return reading, ctx.Err()
}
