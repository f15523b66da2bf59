package preflight

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Share writes all files of a preflight without a name or a value of the user's into a directory.
func Share(dir string, r preflight.Result) error {
	shared, err := Withheld(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("share: %w", err)
	}
	for _, f := range Files() {
		if err := rundir.WriteFile(dir, f.Name, func(w io.Writer) error { return f.Write(w, shared, Options{}) }); err != nil {
			return err
		}
	}
	return nil
}

// Withheld returns a result with a fingerprint instead of each name: equal names have equal
// fingerprints, under a key that nobody has afterwards. Of sentences only the words remain that
// servers and the simulator use in any of their messages.
func Withheld(r preflight.Result) (preflight.Result, error) {
	const size = 32
	key := make([]byte, size)
	if _, err := rand.Read(key); err != nil {
		return preflight.Result{}, fmt.Errorf("share: random key: %w", err)
	}
	s := sharer{key: key, vocabulary: vocabulary(), resources: resourcesOf(strings.Fields(builtInKinds))}
	r.Withheld, r.Command, r.Date = true, "", s.date(r.Date)
	r.SchemaVersion, r.Tool = preflight.SchemaVersion, s.version(r.Tool)
	r.Ended, r.Notes = s.sentence(r.Ended, nil), nil
	if r.Since != nil {
		r.Since = &preflight.Since{File: s.name(r.Since.File), New: r.Since.New, Gone: r.Since.Gone}
	}
	r.Source = s.source(r.Source)
	r.Hops = slices.Clone(r.Hops)
	for i := range r.Hops {
		s.hop(&r.Hops[i], r.Source)
	}
	return r, nil
}

// sharer replaces names.
type sharer struct {
	key        []byte
	vocabulary map[string]bool
	resources  map[string]bool // of Kubernetes itself
}

// name is the fingerprint of a name; "" stays.
func (s sharer) name(text string) string {
	if text == "" {
		return ""
	}
	const shown = 6 // bytes
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(text))
	return "name-" + hex.EncodeToString(mac.Sum(nil)[:shown])
}

// ours keeps a word of a closed list, and replaces any other by its fingerprint.
func (s sharer) ours(text string, list ...string) string {
	if slices.Contains(list, text) {
		return text
	}
	return s.name(text)
}

func (s sharer) date(text string) string {
	if isDate.MatchString(text) {
		return text
	}
	return ""
}

// version keeps a release, without what a vendor or a user has added.
func (s sharer) version(text string) string {
	if found := release.FindString(text); found != "" {
		return found
	}
	return s.name(text)
}

func (s sharer) source(from preflight.Source) preflight.Source {
	if from.Kind != "" && !slices.Contains(preflight.SourceKinds(), from.Kind) {
		from.Kind = preflight.SourceKind(s.name(string(from.Kind)))
	}
	from.Digest, from.Release, from.Stated = "", s.version(from.Release), s.sentence(from.Stated, nil)
	from.CannotSee, from.Removed, from.Skipped = s.lines(from.CannotSee), s.lines(from.Removed), s.lines(from.Skipped)
	from.Converted = s.lines(from.Converted)
	from.NotRead = slices.Clone(from.NotRead)
	for i, what := range from.NotRead {
		if !s.defines(what) {
			from.NotRead[i] = s.name(what)
		}
	}
	from.FlagsTaken, from.FlagsLeft = s.lines(from.FlagsTaken), s.lines(from.FlagsLeft)
	return from
}

func (s sharer) build(b preflight.Build) preflight.Build {
	return preflight.Build{Reference: s.version(b.Reference), Version: s.version(b.Version)}
}

func (s sharer) hop(h *preflight.Hop, from preflight.Source) {
	h.From, h.To = s.build(h.From), s.build(h.To)
	h.Up, h.Back = s.grade(h.Up), s.grade(h.Back)
	h.PointOfNoReturn = s.thresholds(h.PointOfNoReturn)
	h.Gates = slices.Clone(h.Gates)
	for i, g := range h.Gates {
		h.Gates[i].Name, h.Gates[i].New = s.gates(g.Name), *s.gateState(&g.New)
		h.Gates[i].Old = s.gateState(g.Old)
	}
	h.Kinds = slices.Clone(h.Kinds)
	for i, k := range h.Kinds {
		h.Kinds[i].Group, h.Kinds[i].Kind = s.kind(k.Group, k.Kind)
		h.Kinds[i].Outcomes = map[term.Outcome]int{}
		for c, n := range k.Outcomes {
			h.Kinds[i].Outcomes[s.outcome(c)] += n
		}
	}
	h.Findings, h.Baseline = s.findings(h.Findings), s.findings(h.Baseline)
	h.Defaulted = s.defaults(h.Defaulted)
	h.Deleted = slices.Clone(h.Deleted)
	for i, d := range h.Deleted {
		group, kind := s.kind(d.Group, d.Kind)
		h.Deleted[i] = preflight.Deleted{Group: group, Kind: kind, Namespace: s.name(d.Namespace), Name: s.name(d.Name), Phase: s.ours(d.Phase, preflight.Phases()...), By: s.sentence(d.By, nil)}
	}
	wrote := map[string]int{}
	for kind, n := range h.Written {
		wrote[s.builtIn(kind)] += n
	}
	h.Written = wrote
	h.Phases = slices.Clone(h.Phases)
	for i, p := range h.Phases {
		h.Phases[i].Name = s.ours(p.Name, preflight.Phases()...)
	}
	up, back, wasAnswered := h.Up, h.Back, len(h.Answers) > 0
	if h.Grade(from); !wasAnswered {
		h.Answers = nil
	}
	h.Up, h.Back = up, back
}

// defaults are the fields that a release fills in.
func (s sharer) defaults(all []preflight.Default) []preflight.Default {
	all = slices.Clone(all)
	for i, d := range all {
		all[i].Group, all[i].Kind = s.kind(d.Group, d.Kind)
		all[i].Path = s.path(d.Group, d.Kind, d.Path)
	}
	return all
}

func (s sharer) thresholds(all []preflight.Threshold) []preflight.Threshold {
	all = slices.Clone(all)
	for i, t := range all {
		at := s.path(t.Group, t.Kind, t.Path)
		kind := s.builtIn(t.Kind)
		what := s.sentence(t.What, nil)
		if t.Path != "" && kind == t.Kind {
			what = preflight.Writer(at) + " " + at + " of " + preflight.WithArticle(kind)
		}
		all[i].Kind, all[i].Path, all[i].What, all[i].Gate = kind, at, what, s.gates(t.Gate)
		all[i].Group, _ = s.kind(t.Group, t.Kind)
	}
	return all
}

// gates keeps names of feature gates: they are of the release, and users name none.
func (s sharer) gates(names string) string {
	all := strings.Split(names, ", ")
	for i, name := range all {
		if !featureGate.MatchString(name) {
			all[i] = s.name(name)
		}
	}
	return strings.Join(all, ", ")
}

// gateState keeps the stages that releases have.
func (s sharer) gateState(of *preflight.GateState) *preflight.GateState {
	if of == nil {
		return nil
	}
	return &preflight.GateState{Stage: s.ours(of.Stage, "ALPHA", "BETA", "GA", "DEPRECATED"), Default: of.Default, Locked: of.Locked}
}

func (s sharer) grade(g preflight.Grade) preflight.Grade {
	if g != preflight.Ready && g != preflight.Attention && g != preflight.Blocked && g != "" {
		return preflight.Unknown
	}
	return g
}

func (s sharer) outcome(c term.Outcome) term.Outcome {
	if slices.Contains(preflight.Outcomes(), c) {
		return c
	}
	return term.Indeterminate
}

func (s sharer) findings(all []preflight.Finding) []preflight.Finding {
	all = slices.Clone(all)
	for i, f := range all {
		n := &all[i]
		n.Group, n.Kind = s.kind(f.Group, f.Kind)
		n.Outcome = s.outcome(f.Outcome)
		n.Cause = term.Cause(s.ours(string(f.Cause), term.Causes().Words()...))
		n.Class, n.Rule = term.Class(s.ours(string(f.Class), term.Classes().Words()...)), term.Rule(s.ours(string(f.Rule), term.Rules().Words()...))
		n.Direction = preflight.Direction(s.ours(string(f.Direction), string(preflight.Up), string(preflight.Back)))
		n.Namespace, n.Name, n.Owner = s.name(f.Namespace), s.name(f.Name), s.owner(f.Owner)
		n.Path = s.path(f.Group, f.Kind, f.Path)
		n.Release, n.Phase = s.version(f.Release), s.ours(f.Phase, preflight.Phases()...)
		n.Write, n.Manager = s.ours(f.Write, writes()...), s.ours(f.Manager, "Argo CD", "Flux", "Helm")
		n.Accepted, n.Known = s.name(f.Accepted), s.name(f.Known)
		n.Until = s.date(f.Until)
		n.Unread = s.kinds(f.Unread)
		about := s.about(f, *n)
		n.Message, n.Fix = s.sentence(f.Message, about), s.sentence(f.Fix, about)
	}
	return all
}

// lines returns what remains of lines, each once with how often it was there.
func (s sharer) lines(all []string) []string {
	count := map[string]int{}
	kept := []string{}
	for _, text := range all {
		said := s.line(text)
		if count[said]++; count[said] == 1 {
			kept = append(kept, said)
		}
	}
	for i, said := range kept {
		if n := count[said]; n > 1 {
			kept[i] = fmt.Sprintf("%s (%d times)", said, n)
		}
	}
	return kept
}
