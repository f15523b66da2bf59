package apiserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/skewsim/skewsim/servers"
)

// Help is what an executable says of its flags and gates when it is asked for help.
type Help struct {
	// Flags are the names of its flags, without dashes. None: it did not say.
	Flags []string
	// Gates is what it says of each gate that may be switched: "ALPHA -
	// default=false". Those of stable features are not told of there.
	Gates map[string]string
}

// Knows tells whether a flag is among those that the server told of; what told
// of none may know any.
func (h Help) Knows(flag string) bool { return len(h.Flags) == 0 || slices.Contains(h.Flags, flag) }

// ParseHelp reads what --help prints.
func ParseHelp(text string) Help {
	h := Help{Gates: map[string]string{}}
	for _, m := range regexp.MustCompile(`(?m)^ *(?:-\w, )?--([a-z0-9][a-z0-9-]*)\b`).FindAllStringSubmatch(text, -1) {
		h.Flags = append(h.Flags, m[1])
	}
	for _, m := range regexp.MustCompile(`\b([A-Z]\w*)=true\|false \(([^()]*)\)`).FindAllStringSubmatch(text, -1) {
		if _, told := h.Gates[m[1]]; !told { // what follows is how else it may be
			h.Gates[m[1]] = m[2]
		}
	}
	return h
}

// helps are what executables said of themselves, each asked once.
type helps struct {
	hosts hosts
	kept  string // a directory that keeps it between runs; "": none
	mu    sync.Mutex
	by    map[servers.Build]Help
	// knows keeps whether an executable knows a flag that its help does not tell of.
	knows map[hidden]bool
}

// hidden is a flag that the help of a build does not tell of.
type hidden struct {
	build servers.Build
	flag  string // its name
}

// of asks a build for help. One that gives none has told of no flags.
func (h *helps) of(ctx context.Context, c Component, b servers.Build) (Help, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if help, ok := h.by[b]; ok {
		return help, nil
	}
	text, err := h.ask(ctx, c, b)
	if err != nil {
		return Help{}, err
	}
	help := ParseHelp(text)
	if h.by == nil {
		h.by = map[servers.Build]Help{}
	}
	h.by[b] = help
	return help, nil
}

func (h *helps) ask(ctx context.Context, c Component, b servers.Build) (string, error) {
	file := h.file(b)
	if text, err := os.ReadFile(file); err == nil && len(text) > 0 {
		return string(text), nil
	}
	text, err := h.hosts.ask(ctx, b, append(c.own(b), "--help")...)
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		return "", nil // nothing is known of its flags: starting it says what is wrong
	}
	if file != "" {
		_ = servers.Keep(file, []byte(text)) // without it only the next run is slower
	}
	return text, nil
}

func (h *helps) file(b servers.Build) string {
	if h.kept == "" || b.Digest == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(b.Digest + " " + b.Version))
	return filepath.Join(h.kept, "help-"+hex.EncodeToString(sum[:12])+".txt")
}

// lacks are those of the flags it may lack that a build does not know. Help tells of no
// deprecated ones, so what it does not tell of is asked for, once.
func (h *helps) lacks(ctx context.Context, c Component, b servers.Build, help Help, flags []string) (names []string) {
	for _, flag := range c.mayLack(b, flags) {
		name, _ := flagName(flag)
		if !help.Knows(name) && !h.knowsHidden(ctx, c, b, flag, flags) {
			names = append(names, name)
		}
	}
	return names
}

// knowsHidden asks an executable for a flag: beside the directory for certificates, since
// one that knows it makes itself some before it ends. One that does not say may know it.
func (h *helps) knowsHidden(ctx context.Context, c Component, b servers.Build, flag string, beside []string) bool {
	name, _ := flagName(flag)
	key := hidden{b, name}
	h.mu.Lock()
	defer h.mu.Unlock()
	if knows, asked := h.knows[key]; asked {
		return knows
	}
	certificates := slices.DeleteFunc(slices.Clone(beside), func(flag string) bool { return !strings.HasPrefix(flag, "--cert-dir=") })
	_, err := h.hosts.ask(ctx, b, slices.Concat(c.own(b), []string{flag}, certificates)...)
	var refused *AnswerError
	if !errors.As(err, &refused) {
		return true
	}
	if h.knows == nil {
		h.knows = map[hidden]bool{}
	}
	h.knows[key] = !strings.Contains(refused.Said, "unknown flag: --"+name)
	return h.knows[key]
}

// unknownGate is how kube-apiserver, and the reference server, say that they do not
// have a gate.
var unknownGate = regexp.MustCompile(`unrecognized feature gate|has no gate "`)

// Gate implements servers.GateTeller. What the help does not tell of, the
// executable is asked: without a store to serve from it says what is wrong with the
// gate, and ends.
func (r *Runtime) Gate(ctx context.Context, b servers.Build, name string) (says string, has bool, err error) {
	c, err := r.component(b)
	if err != nil {
		return "", false, err
	}
	help, err := r.helps.of(ctx, c, b)
	if err != nil {
		return "", false, err
	}
	if says, has = help.Gates[name]; has {
		return says, true, nil
	}
	if !regexp.MustCompile(`^\w+$`).MatchString(name) {
		return "", false, nil
	}
	// One that has the gate makes itself a certificate before it ends.
	_, err = r.hosts.ask(ctx, b, append(c.own(b), "--feature-gates="+name+"=true", "--cert-dir="+r.identity.Dir)...)
	var refused *AnswerError
	switch {
	case !errors.As(err, &refused):
		return "", false, err
	case unknownGate.MatchString(refused.Said):
		return "", false, nil
	}
	if locked := regexp.MustCompile(`feature is locked to \w+`).FindString(refused.Said); locked != "" {
		return strings.TrimPrefix(locked, "feature is "), true, nil
	}
	return "stable, or deprecated", true, nil
}

// TakesOver implements servers.GateTeller.
func (r *Runtime) TakesOver(b servers.Build) string {
	c, err := r.component(b)
	if err != nil {
		return ""
	}
	return c.TakesOver
}

// Gates implements servers.GateTeller.
func (r *Runtime) Gates(ctx context.Context, b servers.Build) (map[string]string, error) {
	c, err := r.component(b)
	if err != nil {
		return nil, err
	}
	help, err := r.helps.of(ctx, c, b)
	return help.Gates, err
}
