package play

import (
	"context"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/storage"
)

// unknown names the objects that a release which did not become ready cannot decode, by the versions
// that their stored bytes name, or because the bytes are no object: one of a kind that the server lists before
// it is ready keeps it from that. No version is named of a release whose source is not at hand, for a release
// also decodes versions that it does not serve.
func (h *hop) unknown(ctx context.Context, role term.Role, on *etcd.Server, phase string, d preflight.Direction) error {
	facts, _, err := h.Facts.Of(ctx, h.builds[role])
	if err != nil {
		return err
	}
	var versions map[string][]string
	if facts != nil {
		versions = facts.VersionPriority
	}
	forms := h.forms(role)
	return h.stored(ctx, on, func(key string, value []byte, revision int64) error {
		e := storage.Describe(value)
		if h.judged.Excluded(key) || e.Encoding != storage.Opaque && !lacks(versions, e.APIVersion) {
			return nil
		}
		r := reading.Place(forms, key, e.APIVersion, e.Kind)
		r.Revision = revision
		seen := h.seen(taken{role: role, phase: phase}, &r)
		f := preflight.UnknownVersion(seen, d)
		if e.Encoding == storage.Opaque {
			if r.Form == "" { // no object need be under the key
				return nil
			}
			f = preflight.NoObject(seen, d)
		}
		if phase == preflight.PhaseBaseline {
			h.judged.AddBaseline(f)
		} else {
			h.judged.Add(f)
		}
		return nil
	})
}

// lacks reports whether a group of Kubernetes' own, as a release has it, has no such version. Of other
// groups nothing is known: definitions define them.
func lacks(versions map[string][]string, apiVersion string) bool {
	group, version, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		group, version = "", apiVersion
	}
	have, own := versions[group]
	return own && version != "" && !slices.Contains(have, version)
}
