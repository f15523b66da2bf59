package decoding

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/evidence"
	"github.com/skewsim/skewsim/sim/oracle/finding"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/schema"
)

// hashDecoding judges the hashes that discovery has of storage versions.
type hashDecoding struct{ *decoding }

// storageHashes judges what discovery says of the version that a kind is stored in,
// by its hash: who migrates stored objects goes by that. Its facts are the versions
// that each release was seen to store each kind in, each against what the release
// says of the kind in each version of its group.
func (d *hashDecoding) storageHashes() {
	for _, tl := range d.ev.Timelines {
		for i := range tl.Versions {
			v := &tl.Versions[i]
			act, known := d.ev.Acts[v.Step]
			c := v.Change
			if !known || v.Step == 0 || c.Deleted || c.APIVersion == "" || len(v.PossibleWriters) > 0 {
				continue
			}
			for _, told := range resourcesOf(d.ev, act.Role, tl) {
				d.storageHash(tl, v.Step, told, c)
			}
		}
	}
}

// storageHash judges what the release that made a step says of one version of the
// copy's kind. A release that says nothing is at fault only if the one before told.
func (d *hashDecoding) storageHash(tl *trace.Timeline, step int, told history.Resource, c history.Change) {
	role := d.ev.Acts[step].Role
	silent := told.StorageVersionHash == ""
	if silent && (role == term.Old || !tellsHash(d.ev, term.Old, tl)) {
		return
	}
	if !d.said.First("hash", role, trace.KindText(told.APIVersion, told.Kind), trace.VersionText(c)) {
		return
	}
	d.Facts++
	if told.StorageVersionHash != storageHash(c) {
		d.findHash(tl, step, told, c)
	}
}

// resourcesOf is what a release says in discovery of the copy's kind, in each
// version of its group.
func resourcesOf(ev *evidence.Evidence, role term.Role, tl *trace.Timeline) (all []history.Resource) {
	release := ev.History.Releases[role]
	for _, r := range slices.Concat(release.Resources, release.Elsewhere) {
		if schema.GroupOf(r.APIVersion) == schema.GroupOf(tl.Manifest.APIVersion) && r.Kind == tl.Manifest.Kind {
			all = append(all, r)
		}
	}
	return all
}

// tellsHash reports whether a release says in discovery of any version of the copy's
// kind which version it stores.
func tellsHash(ev *evidence.Evidence, role term.Role, tl *trace.Timeline) bool {
	return slices.ContainsFunc(resourcesOf(ev, role, tl), func(r history.Resource) bool { return r.StorageVersionHash != "" })
}

// storageHash is the hash of the version that a value is stored in: as
// k8s.io/apiserver makes it, StorageVersionHash in pkg/endpoints/discovery.
func storageHash(c history.Change) string {
	group, version, grouped := strings.Cut(c.APIVersion, "/")
	if !grouped {
		group, version = "", c.APIVersion
	}
	sum := sha256.Sum256([]byte(group + "/" + version + "/" + c.Kind))
	return base64.StdEncoding.EncodeToString(sum[:8])
}

func (d *hashDecoding) findHash(tl *trace.Timeline, step int, told history.Resource, c history.Change) {
	role := d.ev.Acts[step].Role
	f := finding.New(d.ev, tl, term.EverythingDecodes, step)
	f.Rule, f.Class, f.State, f.Cause = term.Storage, term.Violation, term.Changed, term.BadVersion
	f.Via, f.Release = role, d.ev.History.Releases[role].Version
	says := fmt.Sprintf("%s says in discovery of %s %s that the hash of its storage version is %s", f.Release, told.APIVersion, told.Kind, told.StorageVersionHash)
	if told.StorageVersionHash == "" {
		says = fmt.Sprintf("%s says in discovery of %s %s no hash of its storage version, and %s did", f.Release, told.APIVersion, told.Kind,
			d.ev.History.Releases[term.Old].Version)
	}
	f.Message = fmt.Sprintf("%s %s: %s; step %d (%s: %s) stored it as %s, whose hash is %s: who migrates what is stored goes by that",
		f.Kind, f.Copy, says, step, f.Stage, finding.StepText(d.ev, step), c.APIVersion, storageHash(c))
	d.find(f)
}
