package precheck

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
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/statuscode"
)

// answers are the answers of the releases' servers to dry-run creates of the plan's objects
// before the roll-out, by release and manifest.
type answers map[term.Role]map[string]response

// acceptance finds out whether the releases accept the objects of the plan.
type acceptance struct {
	Config
	asker    *asker
	answers  answers
	taken    []string          // manifests that a release accepts
	declined map[string]string // by manifest: why none of its copies is created
}

// response is a server's answer to one of them.
type response struct {
	Code    int     `json:"code"`
	Message string  `json:"message,omitempty"`
	Causes  []cause `json:"causes,omitempty"` // by field, if the server names fields
}

// cause is a server's error about a field.
type cause struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// refuses reports whether the server rejects the object as invalid. An answer of a server
// that is not ready, or fails, is not a rejection.
func (r response) refuses() bool { return r.Code >= 400 && !r.unsettled() }

// unsettled reports whether another try may get another answer.
func (r response) unsettled() bool {
	switch r.Code {
	case 0, http.StatusNotFound, http.StatusConflict:
		return true
	}
	return statuscode.Busy(r.Code) || statuscode.MayBeLast(r.Code) || strings.Contains(r.Message, "not yet ready to handle request")
}

// firstBirths returns the first step for each manifest that creates an object without a
// declared refusal. Controls are not part of the scenario.
func (acc *acceptance) firstBirths() map[string]plan.Step {
	first := map[string]plan.Step{}
	for _, stage := range acc.Known.Plan.Stages {
		for _, s := range stage.Steps {
			c := acc.Known.Copies[s.Copy]
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

// specimens returns what to create on a release, by manifest: the first copy that is
// created of each, through whichever release. Only the other release's acceptance may
// distinguish an error of the new release from one in the file.
func (acc *acceptance) specimens(resources []history.Resource) map[string]specimen {
	all := map[string]specimen{}
	for manifest, s := range acc.firstBirths() {
		m := acc.Known.Plan.Manifests[manifest]
		i := slices.IndexFunc(resources, func(r history.Resource) bool { return r.APIVersion == m.APIVersion && r.Kind == m.Kind })
		if i >= 0 && fleet.Offers(resources[i], "create") {
			c := acc.Known.Copies[s.Copy]
			all[manifest] = specimen{Resource: resources[i], Object: client.Specimen(acc.Known.Plan, c, resources[i].Namespaced, ""), copy: c.Name}
		}
	}
	return all
}

type specimen struct {
	Resource history.Resource `json:"resource"`
	Object   map[string]any   `json:"object"`
	copy     string
}

// tryAll asks a server on a scratch store, and keeps the answers for later runs with the
// same build and objects. A refusal of a lent server does not count: it may be due to what
// others stored there. So may its acceptance, which counts for this run alone.
func (acc *acceptance) tryAll(ctx context.Context, role term.Role, on scratch, all map[string]specimen) error {
	if len(all) > 0 {
		acc.makeNamespace(ctx, on.conn)
	}
	within := time.Now().Add(patience)
	for _, manifest := range slices.Sorted(maps.Keys(all)) {
		answer, err := acc.tryCreate(ctx, on.conn, all[manifest], within)
		if err != nil {
			return err
		}
		if on.lent && (answer.refuses() || answer.unsettled()) {
			continue
		}
		acc.answers[role][manifest] = answer
		if on.lent || answer.unsettled() {
			continue
		}
		if err := acc.keepAnswer(role, all[manifest], answer); err != nil {
			acc.Note(err.Error()) // only the next run is slower
		}
	}
	return nil
}

// makeNamespace creates the namespace of the objects. Without it, creates are answered 404,
// which says nothing about an object.
func (acc *acceptance) makeNamespace(ctx context.Context, conn *client.Connection) {
	conn.Do(ctx, acc.Known.CreateNamespace())
}

// patience is how long a server that has just become ready is asked again, in all.
const patience = 2 * time.Second

// tryCreate asks until the answer is final, or patience is over.
func (acc *acceptance) tryCreate(ctx context.Context, conn *client.Connection, s specimen, within time.Time) (response, error) {
	body, err := json.Marshal(s.Object)
	if err != nil {
		return response{}, err
	}
	request := client.Request{
		Method: http.MethodPost, Path: acc.Known.Location(s.Resource).Collection(), ContentType: client.JSONContent, Body: body,
		Query: map[string]string{"dryRun": "All"}, UserAgent: "skewsim-" + string(term.Dynamic),
	}
	for wait := fleet.FirstPause; ; {
		answer := conn.Do(ctx, request)
		if ctx.Err() != nil {
			return response{}, context.Cause(ctx)
		}
		if said := responseOf(answer); !said.unsettled() || answer.Panic != nil || time.Now().After(within) {
			return said, nil
		}
		if wait, err = fleet.PauseLonger(ctx, wait); err != nil {
			return response{}, err
		}
	}
}

func responseOf(a client.Answer) response {
	r := response{Code: a.Code}
	if a.Succeeded() {
		return r
	}
	r.Message = a.Text()
	if a.Status != nil && a.Status.Details != nil {
		for _, c := range a.Status.Details.Causes {
			r.Causes = append(r.Causes, cause{c.Field, c.Message})
		}
	}
	return r
}

// keptAnswer is the stored form of an answer.
type keptAnswer struct {
	Form   int      `json:"form"`
	Answer response `json:"answer"`
}

// answerFile names the file of a kept answer by everything that the answer depends on,
// without the copy's name.
func (acc *acceptance) answerFile(role term.Role, s specimen) string {
	if acc.Probes == "" {
		return ""
	}
	b := acc.Builds[role]
	key, _ := json.Marshal([]any{"object", ProbeForm, b.Component, b.Version, b.Digest, acc.Options.Of(role), s})
	key = bytes.ReplaceAll(key, []byte(acc.Known.Plan.Namespace), []byte("a namespace"))
	key = bytes.ReplaceAll(key, []byte(s.copy), []byte("a copy"))
	sum := sha256.Sum256(key)
	return filepath.Join(acc.Probes, "object-"+hex.EncodeToString(sum[:12])+".json")
}

func (acc *acceptance) keepAnswer(role term.Role, s specimen, answer response) error {
	raw, err := json.Marshal(keptAnswer{ProbeForm, answer})
	if err != nil {
		return err
	}
	return keepDescription(acc.answerFile(role, s), raw)
}

func (acc *acceptance) readAnswer(role term.Role, s specimen) (response, bool) {
	var kept keptAnswer
	raw, err := os.ReadFile(acc.answerFile(role, s))
	if err != nil || json.Unmarshal(raw, &kept) != nil || kept.Form != ProbeForm || kept.Answer.unsettled() {
		return response{}, false
	}
	return kept.Answer, true
}

// checkObjects reports, before the roll-out, objects that no release accepts. An object
// that one release accepts and another refuses is not a wrong file: a run is to find that.
// The old release is asked about objects that the new one does not settle.
func (acc *acceptance) checkObjects(ctx context.Context) error {
	all := slices.Sorted(maps.Keys(acc.Known.Plan.Manifests))
	if err := acc.askAbout(ctx, term.New, all); err != nil {
		return err
	}
	if err := acc.askAbout(ctx, term.Old, slices.DeleteFunc(slices.Clone(all), acc.settled)); err != nil {
		return err
	}
	var problems []error
	for _, manifest := range all {
		switch refused := acc.refused(manifest); {
		case refused == nil:
		case acc.Known.Plan.AA != "": // the release that is left out may accept it
			acc.declined[manifest] = fmt.Sprintf("an A/A run leaves out objects that its release refuses: %d to %s", refused.Code, manifest)
		default:
			problems = append(problems, refused)
		}
	}
	return errors.Join(problems...)
}

// settled reports whether the new release accepts an object and knows all its fields: then
// the file is right, whatever the old one answers.
func (acc *acceptance) settled(manifest string) bool {
	answer, asked := acc.answers[term.New][manifest]
	if !asked || answer.Code >= 300 || answer.unsettled() {
		return false
	}
	m := acc.Known.Plan.Manifests[manifest]
	kind, published := acc.Known.ByRole[term.New].Schema.Kind(m.APIVersion, m.Kind)
	_, dropped := kind.Prune(m.Body)
	return published && len(dropped) == 0
}

// askAbout returns a release's answers about objects: those from when the server was asked
// what it serves, those kept by an earlier run, or those of a server now: one that is lent
// and, where that one does not create an object, one of the run's own.
func (acc *acceptance) askAbout(ctx context.Context, role term.Role, manifests []string) error {
	for _, lent := range []bool{true, false} {
		if err := acc.askServer(ctx, role, manifests, lent); err != nil {
			return err
		}
	}
	return nil
}

// askServer asks a server about the objects of which a release has no answer yet.
func (acc *acceptance) askServer(ctx context.Context, role term.Role, manifests []string, lent bool) error {
	all := acc.specimens(slices.Concat(acc.Known.ByRole[role].Said.Resources, acc.Known.ByRole[role].Others))
	maps.DeleteFunc(all, func(manifest string, s specimen) bool {
		if _, asked := acc.answers[role][manifest]; asked || !slices.Contains(manifests, manifest) {
			return true
		}
		answer, kept := acc.readAnswer(role, s)
		if kept {
			acc.answers[role][manifest] = answer
		}
		return kept
	})
	if len(all) == 0 || acc.KeptOnly {
		return nil
	}
	b := acc.Builds[role]
	acc.Note(fmt.Sprintf("asking %s whether it takes the objects, on a scratch store", b.Version))
	return acc.asker.onScratch(ctx, role, b, "scratch-"+string(role), lent, func(on scratch) error {
		return acc.tryAll(ctx, role, on, all)
	})
}

// refused returns the error for a manifest that a release refuses and that no other
// accepts; nil if none was asked.
func (acc *acceptance) refused(manifest string) *ObjectError {
	e := &ObjectError{File: acc.Known.Plan.File, Manifest: manifest}
	var takers []term.Role
	for _, role := range []term.Role{term.Old, term.New} {
		answer, asked := acc.answers[role][manifest]
		switch {
		case !asked:
		case !answer.refuses() || acc.hangs(manifest, answer):
			if answer.Code < 300 && !answer.unsettled() {
				acc.taken = append(acc.taken, manifest)
			}
			takers = append(takers, role)
		default:
			e.add(acc.Known.Version(role), acc.firstBirths()[manifest].Line, answer.Code)
			m := acc.Known.Plan.Manifests[manifest]
			scrub := redact.Scrubber(acc.Known.Policy().Values(m.Kind, m.Body))
			for _, c := range acc.against(manifest, answer) {
				e.note(acc.Known.Version(role), Complaint{At: acc.place(manifest, c.Field), Field: c.Field, Text: scrub.Replace(c.Message)})
			}
		}
	}
	if len(e.Versions) == 0 || slices.ContainsFunc(takers, func(role term.Role) bool { return acc.vouches(role, e) }) {
		return nil
	}
	return e
}

// vouches reports whether the acceptance of one release shows that the refusal of the other
// is the other's doing. It does not if the refusal is about a field that the file sets and
// this release does not have: it has dropped the field.
func (acc *acceptance) vouches(role term.Role, e *ObjectError) bool {
	m := acc.Known.Plan.Manifests[e.Manifest]
	kind, ok := acc.Known.ByRole[role].Schema.Kind(m.APIVersion, m.Kind)
	if !ok {
		return true
	}
	_, dropped := kind.Prune(m.Body)
	return !slices.ContainsFunc(e.Troubles, func(c Complaint) bool {
		return slices.ContainsFunc(dropped, func(at fieldpath.Path) bool { return liesIn(c.Field, serverName(at)) })
	})
}

// liesIn reports whether a field is another, or is inside it, as servers name them.
func liesIn(field, other string) bool {
	rest, is := strings.CutPrefix(field, other)
	return is && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// hangs reports whether a refusal may be about another object of the plan, which a dry run
// has not created: a server forbids a reference to a class that does not exist.
func (acc *acceptance) hangs(manifest string, answer response) bool {
	if answer.Code != http.StatusForbidden {
		return false
	}
	for _, other := range acc.Known.Plan.Manifests {
		if other.Kind != acc.Known.Plan.Manifests[manifest].Kind {
			return true
		}
	}
	return false
}
