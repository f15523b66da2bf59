package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/rundir"
)

// buildsMade returns the builds that a cell is executed with, and the typed clients.
func buildsMade(b engine.Parts) (all []matrix.Build) {
	for _, role := range []term.Role{term.Old, term.New} {
		s := b.Servers[role]
		all = append(all, matrix.Build{Role: role, Reference: s.Reference, Version: s.Version, Digest: s.Digest})
	}
	for _, role := range []term.Role{term.Old, term.New, term.Older} {
		if c, ok := b.Clients[role]; ok {
			all = append(all, matrix.Build{Role: role, Reference: builder.TypedClientPrefix + c.Version, Version: c.Version, Digest: c.Digest, Client: true})
		}
	}
	return all
}

// surroundings are what all results of a matrix depend on.
type surroundings struct {
	tool  string // skewsim, as returned by identityOf
	store string // the digest of the image of --store; "" without one
}

// surroundingsOf returns everything but the builds that a matrix is executed with. It is
// called before any build is made and before anything of an earlier matrix is removed.
func surroundingsOf(ctx context.Context, builds engine.Builds, tool string, f engine.Store) (s surroundings, err error) {
	if err := engine.Reachable(ctx, builds, f); err != nil {
		return s, err
	}
	if f.Image != "" {
		_, b, err := builds.EtcdImage(ctx, f.ImageName())
		if err != nil {
			return s, err
		}
		s.store = b.Digest
	}
	s.tool, err = identityOf(tool)
	return s, err
}

// identityOf returns what distinguishes this program from every other build of skewsim: its
// version, and for builds of a working tree, which share a version, also the digest of the
// executable.
func identityOf(version string) (string, error) {
	if strings.HasPrefix(version, "v") && !strings.HasSuffix(version, "+dirty") {
		return version, nil
	}
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("this program's own file: %w", err)
	}
	sum, err := apiserver.DigestOf(self)
	if err != nil {
		return "", fmt.Errorf("this program's own file: %w", err)
	}
	return version + " " + sum, nil
}

// keyOf returns a digest of everything that a cell's result depends on: skewsim, the plan
// with its seed, the builds, where the store is and how it writes, and which expectations
// have expired on the day of the run.
func keyOf(r engine.Run, builds []matrix.Build, s surroundings, day time.Time) (string, error) {
	expired := []int{}
	for i, e := range r.Plan.Expect {
		if e.Expired(day) {
			expired = append(expired, i+1)
		}
	}
	raw, err := json.Marshal([]any{s.tool, r.Plan, builds, r.Store.Fsync, r.Store.Etcd, s.store, expired})
	return digest(raw), err
}

func digest(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// digestOf returns the digest of a run's result; "" if the run has no readable result.
func digestOf(dir string) string {
	raw, err := rundir.ReadRegular(filepath.Join(dir, "result.json"))
	if err != nil {
		return ""
	}
	return digest(raw)
}
