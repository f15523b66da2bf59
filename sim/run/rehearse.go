package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/redact"
)

// rehearsals are what the releases' servers said when they were asked, before the
// roll-out and as dry runs, to create the objects that the plan has created: by release
// and manifest.
type rehearsals map[term.Role]map[string]response

// response is one of their answers.
type response struct {
	Code    int     `json:"code"`
	Message string  `json:"message,omitempty"`
	Causes  []cause `json:"causes,omitempty"` // by field, where the server tells
}

// cause is what a server has against a field.
type cause struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// refuses tells whether the server takes the object for a bad one. A server that is
// not ready, or fails, says nothing of it.
func (r response) refuses() bool { return r.Code >= 400 && !r.unsettled() }

// unsettled tells whether another try may change the answer.
func (r response) unsettled() bool {
	switch r.Code {
	case 0, http.StatusNotFound, http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests:
		return true
	}
	return r.Code >= 500 || strings.Contains(r.Message, "not yet ready to handle request")
}

// firstBirths are the steps by which objects are created without a declared refusal:
// the first of each manifest. Controls are no part of the scenario.
func (w *walker) firstBirths() map[string]plan.Step {
	first := map[string]plan.Step{}
	for _, stage := range w.config.Plan.Stages {
		for _, s := range stage.Steps {
			c := w.copies[s.Copy]
			if !s.Birth || c.Role == term.Control || s.Respond != nil && s.Respond.Code >= 400 {
				continue
			}
			if manifest := c.Manifest; first[manifest].Number == 0 {
				first[manifest] = s
			}
		}
	}
	return first
}

// specimens are what a release is asked to create, by manifest: the first copy that is
// created of each, through whichever release. That the other takes it may be all that
// tells a mistake of the new release from one in the file.
func (w *walker) specimens(resources []history.Resource) map[string]specimen {
	all := map[string]specimen{}
	for manifest, s := range w.firstBirths() {
		m := w.config.Plan.Manifests[manifest]
		i := slices.IndexFunc(resources, func(r history.Resource) bool { return r.APIVersion == m.APIVersion && r.Kind == m.Kind })
		if i >= 0 && offers(resources[i], "create") {
			c := w.copies[s.Copy]
			all[manifest] = specimen{Resource: resources[i], Object: client.Specimen(w.config.Plan, c, resources[i].Namespaced, ""), copy: c.Name}
		}
	}
	return all
}

type specimen struct {
	Resource history.Resource `json:"resource"`
	Object   map[string]any   `json:"object"`
	copy     string
}

// rehearse asks a server on a scratch store. What it says is kept, for whoever asks
// the same build for such an object.
func (w *walker) rehearse(ctx context.Context, role term.Role, conn *client.Connection, all map[string]specimen) error {
	if len(all) > 0 {
		w.makeNamespace(ctx, conn)
	}
	within := time.Now().Add(patience)
	for _, manifest := range slices.Sorted(maps.Keys(all)) {
		answer, err := w.tryCreate(ctx, conn, all[manifest], within)
		if err != nil {
			return err
		}
		w.rehearsed[role][manifest] = answer
		if answer.unsettled() {
			continue
		}
		if err := w.keepAnswer(role, all[manifest], answer); err != nil {
			w.config.Progress.Note(err.Error()) // only the next run is slower for it
		}
	}
	return nil
}

// makeNamespace makes the namespace that the objects belong in. Without it, creates
// are answered 404, which says nothing of an object.
func (w *walker) makeNamespace(ctx context.Context, conn *client.Connection) {
	conn.Do(ctx, client.Request{
		Method: http.MethodPost, Path: coreAPI + "/namespaces", ContentType: client.JSONContent, Body: namespaceBody(w.config.Plan.Namespace),
	})
}

// patience is how long a server that has just become ready is asked again, in all.
const patience = 2 * time.Second

// tryCreate asks until the answer is one, or it is too late.
func (w *walker) tryCreate(ctx context.Context, conn *client.Connection, s specimen, within time.Time) (response, error) {
	body, err := json.Marshal(s.Object)
	if err != nil {
		return response{}, err
	}
	request := client.Request{
		Method: http.MethodPost, Path: w.location(s.Resource).Collection(), ContentType: client.JSONContent, Body: body,
		Query: map[string]string{"dryRun": "All"}, UserAgent: "skewsim-" + string(term.Dynamic),
	}
	for wait := betweenTurns; ; {
		answer := conn.Do(ctx, request)
		if ctx.Err() != nil {
			return response{}, context.Cause(ctx)
		}
		if said := responseOf(answer); !said.unsettled() || answer.Panic != nil || time.Now().After(within) {
			return said, nil
		}
		if wait, err = pauseLonger(ctx, wait); err != nil {
			return response{}, err
		}
	}
}

func responseOf(a client.Answer) response {
	r := response{Code: a.Code}
	if a.Succeeded() {
		return r
	}
	r.Message = statusText(a)
	if a.Status != nil && a.Status.Details != nil {
		for _, c := range a.Status.Details.Causes {
			r.Causes = append(r.Causes, cause{c.Field, c.Message})
		}
	}
	return r
}

// keptAnswer is an answer as it is kept.
type keptAnswer struct {
	Form   int      `json:"form"`
	Answer response `json:"answer"`
}

// answerFile names what is kept of one by all that it depends on; what a copy is called
// is none of it.
func (w *walker) answerFile(role term.Role, s specimen) string {
	if w.config.Probes == "" {
		return ""
	}
	b := w.config.Builds[role]
	key, _ := json.Marshal([]any{"object", probeForm, b.Component, b.Version, b.Digest, w.options(role), s})
	key = bytes.ReplaceAll(key, []byte(w.config.Plan.Namespace), []byte("a namespace"))
	key = bytes.ReplaceAll(key, []byte(s.copy), []byte("a copy"))
	sum := sha256.Sum256(key)
	return filepath.Join(w.config.Probes, "object-"+hex.EncodeToString(sum[:12])+".json")
}

func (w *walker) keepAnswer(role term.Role, s specimen, answer response) error {
	raw, err := json.Marshal(keptAnswer{probeForm, answer})
	if err != nil {
		return err
	}
	return keepPortrait(w.answerFile(role, s), raw)
}

func (w *walker) readAnswer(role term.Role, s specimen) (response, bool) {
	var kept keptAnswer
	raw, err := os.ReadFile(w.answerFile(role, s))
	if err != nil || json.Unmarshal(raw, &kept) != nil || kept.Form != probeForm || kept.Answer.unsettled() {
		return response{}, false
	}
	return kept.Answer, true
}

// checkObjects tells, before the roll-out, of objects that no release takes. What one
// release takes and another refuses is no bad file: that is what a run is to find. The
// old release is asked where the new one does not settle it.
func (w *walker) checkObjects(ctx context.Context) error {
	all := slices.Sorted(maps.Keys(w.config.Plan.Manifests))
	if err := w.rehearsal(ctx, term.New, all); err != nil {
		return err
	}
	if err := w.rehearsal(ctx, term.Old, slices.DeleteFunc(slices.Clone(all), w.settled)); err != nil {
		return err
	}
	var problems []error
	for _, manifest := range all {
		switch refused := w.refused(manifest); {
		case refused == nil:
		case w.config.Plan.PlaceboOf != "": // the release that is left out may take it
			w.declined[manifest] = skip("a placebo leaves out what its release does not take: %d to %s", refused.Code, manifest)
		default:
			problems = append(problems, refused)
		}
	}
	return errors.Join(problems...)
}

// settled tells whether the new release takes an object and knows all of it: whatever
// the old one says, the file is right.
func (w *walker) settled(manifest string) bool {
	answer, asked := w.rehearsed[term.New][manifest]
	if !asked || answer.Code >= 300 || answer.unsettled() {
		return false
	}
	m := w.config.Plan.Manifests[manifest]
	kind, published := w.known[term.New].schema.Kind(m.APIVersion, m.Kind)
	_, dropped := kind.Prune(m.Body)
	return published && len(dropped) == 0
}

// rehearsal has what a release says of objects: what it was asked when it was asked
// what it serves, what an earlier run kept, or what a server says now.
func (w *walker) rehearsal(ctx context.Context, role term.Role, manifests []string) error {
	all := w.specimens(slices.Concat(w.known[role].release.Resources, w.known[role].others))
	maps.DeleteFunc(all, func(manifest string, s specimen) bool {
		if _, asked := w.rehearsed[role][manifest]; asked || !slices.Contains(manifests, manifest) {
			return true
		}
		answer, kept := w.readAnswer(role, s)
		if kept {
			w.rehearsed[role][manifest] = answer
		}
		return kept
	})
	if len(all) == 0 || w.config.KeptOnly {
		return nil
	}
	b := w.config.Builds[role]
	w.config.Progress.Note(fmt.Sprintf("asking %s whether it takes the objects, on a scratch store", b.Version))
	return w.onScratch(ctx, role, b, "scratch-"+string(role), func(conn *client.Connection) error {
		return w.rehearse(ctx, role, conn, all)
	})
}

// refused is the error for a manifest that a release refuses and no other vouches for;
// nil where none was asked.
func (w *walker) refused(manifest string) *ObjectError {
	e := &ObjectError{File: w.config.Plan.File, Manifest: manifest}
	var takers []term.Role
	for _, role := range []term.Role{term.Old, term.New} {
		answer, asked := w.rehearsed[role][manifest]
		switch {
		case !asked:
		case !answer.refuses() || w.hangs(manifest, answer):
			if answer.Code < 300 && !answer.unsettled() {
				w.births.take(manifest)
			}
			takers = append(takers, role)
		default:
			e.add(w.version(role), w.firstBirths()[manifest].Line, answer.Code)
			m := w.config.Plan.Manifests[manifest]
			scrub := redact.Scrubber(w.policy().Values(m.Kind, m.Body))
			for _, c := range w.against(manifest, answer) {
				e.note(w.version(role), Complaint{At: w.where(manifest, c.Field), Field: c.Field, Text: scrub.Replace(c.Message)})
			}
		}
	}
	if len(e.Versions) == 0 || slices.ContainsFunc(takers, func(role term.Role) bool { return w.vouches(role, e) }) {
		return nil
	}
	return e
}

// vouches tells whether a release that takes an object shows that the other's refusal is
// the other's doing. It does not where the trouble is with a field that the file sets and
// this release does not have: it has dropped that.
func (w *walker) vouches(role term.Role, e *ObjectError) bool {
	m := w.config.Plan.Manifests[e.Manifest]
	kind, ok := w.known[role].schema.Kind(m.APIVersion, m.Kind)
	if !ok {
		return true
	}
	_, dropped := kind.Prune(m.Body)
	return !slices.ContainsFunc(e.Troubles, func(c Complaint) bool {
		return slices.ContainsFunc(dropped, func(at fieldpath.Path) bool { return liesIn(c.Field, serverName(at)) })
	})
}

// liesIn tells whether a field is another, or lies in it, as servers name them.
func liesIn(field, other string) bool {
	rest, is := strings.CutPrefix(field, other)
	return is && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// hangs tells whether a refusal may be about another object of the plan, which a dry
// run has not made: a server forbids what names a class that is not there.
func (w *walker) hangs(manifest string, answer response) bool {
	if answer.Code != http.StatusForbidden {
		return false
	}
	for _, other := range w.config.Plan.Manifests {
		if other.Kind != w.config.Plan.Manifests[manifest].Kind {
			return true
		}
	}
	return false
}

// where is the place of a field in an object file.
func (w *walker) where(manifest, field string) string {
	if w.config.Where == nil {
		return manifest
	}
	return w.config.Where(manifest, field)
}
