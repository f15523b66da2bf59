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

// Help is the part of an executable's help that lists flags and gates.
type Help struct {
	// Flags are the names of its flags, without dashes; empty if the help lists none.
	Flags []string
	// Gates maps each gate that can be set to its description: "ALPHA - default=false". Help
	// does not list gates of stable features.
	Gates map[string]string
}

// Knows reports whether the help lists a flag. An executable whose help lists no flags may know
// any.
func (h Help) Knows(flag string) bool { return len(h.Flags) == 0 || slices.Contains(h.Flags, flag) }

// ParseHelp parses the output of --help.
func ParseHelp(text string) Help {
	h := Help{Gates: map[string]string{}}
	for _, m := range regexp.MustCompile(`(?m)^ *(?:-\w, )?--([a-z0-9][a-z0-9-]*)\b`).FindAllStringSubmatch(text, -1) {
		h.Flags = append(h.Flags, m[1])
	}
	for _, m := range regexp.MustCompile(`\b([A-Z]\w*)=true\|false \(([^()]*)\)`).FindAllStringSubmatch(text, -1) {
		if _, listed := h.Gates[m[1]]; !listed { // later lines list other ways to set it
			h.Gates[m[1]] = m[2]
		}
	}
	return h
}

// helps caches the help of executables, each of which is asked once.
type helps struct {
	hosts hosts
	kept  string // a directory that keeps it between runs; "": none
	mu    sync.Mutex
	by    map[servers.Build]Help
	// knows caches whether an executable knows a flag that its help does not list.
	knows map[hidden]bool
}

// hidden is a flag that the help of a build does not list.
type hidden struct {
	build servers.Build
	flag  string // its name
}

// of asks a build for its help. If the build gives none, the result lists no flags.
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
		return "", nil // its flags are unknown: starting it reports what is wrong
	}
	if file != "" {
		_ = servers.Keep(file, []byte(text)) // a failure only makes the next run slower
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

// lacks returns the flags among mayLack that a build does not know. Help does not list
// deprecated flags, so lacks asks the executable once for each flag that the help does not
// list.
func (h *helps) lacks(ctx context.Context, c Component, b servers.Build, help Help, flags []string) (names []string) {
	for _, flag := range c.mayLack(b, flags) {
		name, _ := flagName(flag)
		if !help.Knows(name) && !h.knowsHidden(ctx, c, b, flag, flags) {
			names = append(names, name)
		}
	}
	return names
}

// knowsHidden asks an executable for a flag, together with beside, the directory for
// certificates, because an executable that knows the flag creates certificates before it ends.
// Without a clear answer the executable may know the flag.
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

// unknownGate matches the messages of kube-apiserver and the reference server for an unknown
// gate.
var unknownGate = regexp.MustCompile(`unrecognized feature gate|has no gate "`)

// Gate implements servers.GateTeller. For a gate that the help does not list it runs the
// executable, which reports what is wrong with the gate and ends, because it has no store.
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
	// An executable that has the gate creates a certificate before it ends.
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
