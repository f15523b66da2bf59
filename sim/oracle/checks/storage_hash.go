package checks

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/schema"
)

// hashDecoding judges the storage version hashes in discovery.
type hashDecoding struct{ *decoding }

// storageHashes judges what discovery says of the version in which a kind is stored, by its hash,
// which migration of stored objects relies on. Its facts are the versions in which each release
// was seen to store each kind, each compared with what the release says of the kind in each
// version of its group.
func (d *hashDecoding) storageHashes() {
	for _, tl := range d.ev.Timelines {
		for i := range tl.Versions {
			v := &tl.Versions[i]
			act, known := d.ev.Acts[v.Step]
			c := v.Change
			if !known || v.Step == 0 || c.Deleted || c.APIVersion == "" || len(v.PossibleWriters) > 0 {
				continue
			}
			for _, resource := range resourcesOf(d.ev, act.Role, tl) {
				d.storageHash(tl, v.Step, resource, c)
			}
		}
	}
}

// storageHash judges what the release that made a step says of one version of the copy's kind. A
// release that says nothing is at fault only if the one before published a hash.
func (d *hashDecoding) storageHash(tl *trace.Timeline, step int, resource history.Resource, c history.Change) {
	role := d.ev.Acts[step].Role
	silent := resource.StorageVersionHash == ""
	if silent && (role == term.Old || !publishesHash(d.ev, term.Old, tl)) {
		return
	}
	if !d.said.First("hash", role, trace.KindText(resource.APIVersion, resource.Kind), trace.VersionText(c)) {
		return
	}
	d.Facts++
	if resource.StorageVersionHash != storageHash(c) {
		d.findHash(tl, step, resource, c)
	}
}

// resourcesOf returns what a release says in discovery of the copy's kind, in each version of its
// group.
func resourcesOf(ev *trace.Evidence, role term.Role, tl *trace.Timeline) (all []history.Resource) {
	release := ev.History.Releases[role]
	for _, r := range slices.Concat(release.Resources, release.Elsewhere) {
		if schema.GroupOf(r.APIVersion) == schema.GroupOf(tl.Manifest.APIVersion) && r.Kind == tl.Manifest.Kind {
			all = append(all, r)
		}
	}
	return all
}

// publishesHash reports whether a release publishes in discovery, for any version of the copy's
// kind, the version that it stores.
func publishesHash(ev *trace.Evidence, role term.Role, tl *trace.Timeline) bool {
	return slices.ContainsFunc(resourcesOf(ev, role, tl), func(r history.Resource) bool { return r.StorageVersionHash != "" })
}

// storageHash returns the hash of the version in which a value is stored, as k8s.io/apiserver
// computes it: StorageVersionHash in pkg/endpoints/discovery.
func storageHash(c history.Change) string {
	group, version, grouped := strings.Cut(c.APIVersion, "/")
	if !grouped {
		group, version = "", c.APIVersion
	}
	sum := sha256.Sum256([]byte(group + "/" + version + "/" + c.Kind))
	return base64.StdEncoding.EncodeToString(sum[:8])
}

func (d *hashDecoding) findHash(tl *trace.Timeline, step int, resource history.Resource, c history.Change) {
	role := d.ev.Acts[step].Role
	f := blame.NewCollector(d.ev, tl, term.CheckEverythingDecodes, step)
	f.Rule, f.Class, f.Outcome, f.Cause = term.RuleStorage, term.Violation, term.Changed, term.BadVersion
	f.Via, f.Release = role, d.ev.History.Releases[role].Version
	says := fmt.Sprintf("%s says in discovery of %s %s that the hash of its storage version is %s", f.Release, resource.APIVersion, resource.Kind, resource.StorageVersionHash)
	if resource.StorageVersionHash == "" {
		says = fmt.Sprintf("%s says in discovery of %s %s no hash of its storage version, and %s did", f.Release, resource.APIVersion, resource.Kind,
			d.ev.History.Releases[term.Old].Version)
	}
	f.Message = fmt.Sprintf("%s %s: %s; step %d (%s: %s) stored it as %s, whose hash is %s: storage migration relies on that hash",
		f.Kind, f.Copy, says, step, f.Stage, blame.StepText(d.ev, step), c.APIVersion, storageHash(c))
	d.find(f)
}
