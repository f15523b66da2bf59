package sim_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/fuzz"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/mask"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/sweep"
)

// ruled is what a judge says of an object or of its value.
type ruled struct {
	outcome term.Outcome
	cause   term.Cause
	class   term.Class
	rule    term.Rule
}

const (
	widget = "example.dev/v1"
	shine  = ".spec.shine"
)

// TestJudges plays one value that is lost, one that is hidden, one object that is frozen and one that cannot be
// decoded through the judging of a run, of a sweep, of a preflight and of fuzzing. Each says the same of it.
func TestJudges(t *testing.T) {
	for name, c := range map[string]struct {
		run  func(t *testing.T) *oracletest.Run
		look func(t *testing.T) []preflight.Finding
		// release is the one that has the object first; server is what the other one answers.
		release term.Role
		server  func(method string, object map[string]any) (code int, answer map[string]any)
		want    ruled
	}{
		"lost": {
			run: func(t *testing.T) *oracletest.Run {
				run := oracletest.NewMixed(t)
				run.Create("treated-1", oracletest.ShineSpec)
				run.Put("treated-1", oracletest.Via("b"))
				return run
			},
			look: func(t *testing.T) []preflight.Finding {
				return preflight.Losses(shown(t, term.New, oracletest.ShineSpec), shown(t, term.New, oracletest.PlainSpec), preflight.Back, term.Old)
			},
			release: term.New,
			server: func(method string, object map[string]any) (int, map[string]any) {
				if method == http.MethodPut {
					delete(object["spec"].(map[string]any), "shine")
				}
				return http.StatusOK, object
			},
			want: ruled{term.Lost, term.UnknownField, term.Impact, term.Rule6},
		},
		"hidden": {
			run: func(t *testing.T) *oracletest.Run {
				run := oracletest.NewMixed(t)
				run.Create("treated-1", oracletest.ShineSpec)
				run.Create("untouched-1", oracletest.ShineSpec)
				run.Stage("rolled-back", term.Old, term.Old)
				run.Observe()
				run.Behave(term.Old, oracletest.Behaviour{Encode: func(o oracletest.Object) { // it keeps what it does not show
					o["spec"].(map[string]any)["shine"] = oracletest.Parse(t, oracletest.ShineSpec)["shine"]
				}})
				run.Patch("treated-1")
				run.Stage("re-upgraded", term.New, term.New)
				run.Observe()
				return run
			},
			look: func(t *testing.T) []preflight.Finding {
				found, _ := preflight.Otherwise(shown(t, term.Old, `{"colour": "red"}`), shown(t, term.New, oracletest.ShineSpec), preflight.Up, nil)
				return found
			},
			release: term.New,
			server: func(method string, object map[string]any) (int, map[string]any) {
				spec := object["spec"].(map[string]any)
				switch method {
				case http.MethodGet:
					object = oracletest.Clone(t, object)
					delete(object["spec"].(map[string]any), "shine")
				case http.MethodPut: // it keeps what it does not show
					spec["shine"] = oracletest.Parse(t, oracletest.ShineSpec)["shine"]
				}
				return http.StatusOK, object
			},
			want: ruled{term.Hidden, term.UnknownField, term.Impact, term.Rule6},
		},
		"frozen": {
			run: func(t *testing.T) *oracletest.Run {
				run := oracletest.NewMixed(t)
				run.Create("treated-1", oracletest.PlainSpec, oracletest.Via("b"))
				run.Stage("new", term.New, term.New)
				oracletest.Fail(&run.DryRun(run.DryRuns("treated-1"), "treated-1", "a", term.SelfAttempt).Exchange, 422, "spec: immutable")
				return run
			},
			look: func(t *testing.T) []preflight.Finding {
				before, after := shown(t, term.Old, oracletest.PlainSpec), shown(t, term.New, oracletest.PlainSpec)
				before.Tries = []reading.Try{{Write: reading.Label, Code: 200}}
				after.Tries = []reading.Try{{Write: reading.Label, Code: 422, Message: "spec: immutable"}}
				return preflight.Worse(before, after, preflight.Up)
			},
			release: term.Old,
			server: func(method string, object map[string]any) (int, map[string]any) {
				if method == http.MethodPut {
					return http.StatusUnprocessableEntity, status("spec: immutable")
				}
				return http.StatusOK, object
			},
			want: ruled{term.Frozen, term.Unattributed, term.Violation, term.RuleWritable},
		},
		"undecodable": {
			run: func(t *testing.T) *oracletest.Run {
				run := oracletest.NewMixed(t)
				created := run.Create("treated-1", oracletest.PlainSpec, oracletest.Via("b"))
				oracletest.Fail(run.Exchange(created, history.Look, "a"), 500, "unable to decode")
				return run
			},
			look: func(t *testing.T) []preflight.Finding {
				after := shown(t, term.New, oracletest.PlainSpec)
				after.Object, after.Code, after.Message = nil, 500, "unable to decode"
				return preflight.Worse(shown(t, term.Old, oracletest.PlainSpec), after, preflight.Up)
			},
			release: term.Old,
			server: func(method string, object map[string]any) (int, map[string]any) {
				if method == http.MethodGet {
					return http.StatusInternalServerError, status("unable to decode")
				}
				return http.StatusOK, object
			},
			want: ruled{term.Undecodable, term.Unattributed, term.Violation, term.RuleStorage},
		},
	} {
		t.Run(name, func(t *testing.T) {
			run := c.run(t)
			res, ledger := run.Judge()
			in := swept(t, run, res, ledger, c.release)
			if c.want.outcome == term.Hidden { // which is no finding of a run: its ledger says it, and no rule is broken yet
				assert.Contains(t, outcomesSeen(ledger), term.Hidden, "run")
				assert.Equal(t, term.Hidden, in.outcome, "sweep")
			} else {
				assert.Contains(t, ofRun(res), c.want, "run")
				assert.Equal(t, c.want, in, "sweep")
			}
			var found []ruled
			for _, f := range c.look(t) {
				found = append(found, ruled{f.Outcome, f.Cause, f.Class, f.Rule})
			}
			assert.Equal(t, []ruled{c.want}, found, "preflight")
			assert.Equal(t, []ruled{c.want}, fuzzed(t, c.release, c.server), "fuzz")
		})
	}
}

func ofRun(res result.Result) (all []ruled) {
	for _, f := range res.Findings {
		all = append(all, ruled{f.Outcome, f.Cause, f.Class, f.Rule})
	}
	return all
}

// outcomesSeen are those of all views of the run's copy.
func outcomesSeen(ledger result.Ledger) (all []term.Outcome) {
	for _, c := range ledger.Copies {
		for _, row := range c.Rows {
			for _, view := range row.Views {
				all = append(all, view.Outcome)
			}
		}
	}
	return all
}

func status(message string) map[string]any {
	return map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message}
}

func document(t *testing.T, role term.Role) []byte {
	t.Helper()
	text, err := json.Marshal(oracletest.Document(t, oracletest.Definitions(role)))
	require.NoError(t, err)
	return text
}

// swept returns what a sweep says of the run's object, in a row of its own.
func swept(t *testing.T, run *oracletest.Run, res result.Result, ledger result.Ledger, release term.Role) ruled {
	t.Helper()
	var o sweep.Object
	for _, c := range ledger.Copies {
		if c.Copy == "treated-1" {
			o.Target.ID = c.Object
		}
	}
	row := sweep.Row{ID: "row", Difference: diff.Difference{Difference: term.FieldAdded, Group: "example.dev", Version: "v1", Kind: "Widget", Path: shine, Playable: true}}
	o.Target.APIVersion, o.Target.Kind, o.Target.Path, o.Target.Release, o.Target.Rows, o.Target.Form = widget, "Widget", shine, release, []string{row.ID}, term.Treated
	o.Specimen.Held, o.Specimen.Object = shine, oracletest.Parse(t, oracletest.ShineSpec)
	p := run.History.Header.Plan
	rows := sweep.Rows([]sweep.Row{row}, []sweep.Lap{{Lap: term.DefaultLap, Objects: []sweep.Object{o}, Evidence: []sweep.Evidence{sweep.EvidenceOf(&p, res, ledger)}}})
	require.NotEmpty(t, rows)
	return ruled{rows[0].Outcome, rows[0].Cause, rows[0].Class, rows[0].Rule}
}

// shown is a widget as a release shows it to a preflight.
func shown(t *testing.T, role term.Role, spec string) preflight.Seen {
	t.Helper()
	both := map[term.Role]*mask.Fields{}
	for _, r := range []term.Role{term.Old, term.New} {
		both[r] = mask.FieldsOf(published.Release{Documents: map[string][]byte{widget: document(t, r)}})
	}
	object := fmt.Sprintf(`{"apiVersion":%q,"kind":"Widget","metadata":{"name":"a"},"spec":%s}`, widget, spec)
	record := &reading.Record{APIVersion: widget, Kind: "Widget", Form: widget, Name: "a", Revision: 7, Code: 200, Object: []byte(object)}
	return preflight.Seen{Release: string(role), Phase: preflight.PhaseAlone, Fields: both[role], Role: role, Releases: both, Record: record}
}

// fuzzed sends one widget from a release, which keeps what it is sent, through the other one, which answers as it
// is told.
func fuzzed(t *testing.T, origin term.Role, answer func(method string, object map[string]any) (int, map[string]any)) (all []ruled) {
	t.Helper()
	stored := map[string]any{}
	serve := func(answer func(string, map[string]any) (int, map[string]any)) *client.Connection {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			object := stored
			if text, _ := io.ReadAll(r.Body); r.Method == http.MethodPut || r.Method == http.MethodPost && r.URL.RawQuery == "" {
				object = oracletest.Parse(t, string(text))
			}
			code, told := answer(r.Method, object)
			if code == http.StatusOK && (r.Method == http.MethodPut || r.Method == http.MethodPost) {
				stored = told
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(code)
			_ = json.NewEncoder(w).Encode(told)
		}))
		t.Cleanup(server.Close)
		conn, err := client.Connect(client.Endpoint{URL: server.URL})
		require.NoError(t, err)
		return conn
	}
	releases := map[term.Role]*fuzz.Release{}
	for _, role := range []term.Role{term.Old, term.New} {
		how := answer
		if role == origin {
			how = func(_ string, object map[string]any) (int, map[string]any) { return http.StatusOK, object }
		}
		releases[role] = &fuzz.Release{Version: string(role), Conn: serve(how), Schema: oracletest.Schema(t, oracletest.Document(t, oracletest.Definitions(role)))}
	}
	at := func(role term.Role) fuzz.Place {
		return fuzz.Place{Role: role, Resource: client.Discovered{APIVersion: widget, Kind: "Widget", Plural: "widgets"}}
	}
	places := []fuzz.Place{at(origin), at(origin.Other())}
	object := map[string]any{"apiVersion": widget, "kind": "Widget", "metadata": map[string]any{}, "spec": map[string]any(oracletest.Parse(t, map[term.Role]string{term.Old: oracletest.PlainSpec, term.New: oracletest.ShineSpec}[origin]))}
	traveller := &fuzz.Traveller{Trip: fuzz.Trip{Releases: releases, Kind: "Widget.example.dev", Origin: places[0], Places: places, Name: "a"}}
	facts, err := traveller.Travel(t.Context(), object, places[1:])
	require.NoError(t, err)
	for _, f := range facts {
		if one := (ruled{f.Diff.Outcome, f.Cause, f.Class, f.Rule()}); !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}
