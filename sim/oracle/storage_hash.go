package oracle

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/term"
)

// storageHashes judges what discovery says of the version that a kind is stored in,
// by its hash: who migrates stored objects goes by that. Its facts are the versions
// that each release was seen to store each kind in.
func (d *decoding) storageHashes() {
	for _, l := range d.e.byCopy {
		for i := range l.versions {
			v := &l.versions[i]
			act, known := d.e.acts[v.step]
			c := v.change
			if !known || v.step == 0 || c.Deleted || c.APIVersion == "" || len(v.suspects) > 0 {
				continue
			}
			told := d.e.toldHash(act.Role, l)
			if told == "" || !d.once("hash", act.Role, l.manifest.APIVersion, storedIn(c)) {
				continue
			}
			d.facts++
			if told != storageHash(c) {
				d.findHash(l, v.step, act.Role, told, c)
			}
		}
	}
}

// toldHash is what a release says in discovery of the version that it stores a
// copy's kind in; "": nothing.
func (e *evidence) toldHash(role term.Role, l *life) string {
	for _, r := range e.history.Releases[role].Resources {
		if r.APIVersion == l.manifest.APIVersion && r.Kind == l.manifest.Kind {
			return r.StorageVersionHash
		}
	}
	return ""
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

func (d *decoding) findHash(l *life, step int, role term.Role, told string, c history.Change) {
	f := d.e.finding(l, term.EverythingDecodes, step)
	f.Rule, f.Class, f.State, f.Cause = term.Storage, term.Violation, term.Changed, term.BadVersion
	f.Via, f.Release = role, d.e.history.Releases[role].Version
	f.Message = fmt.Sprintf("%s %s: %s says in discovery of %s %s that the hash of its storage version is %s; step %d (%s: %s) stored it as %s, whose hash is %s: who migrates what is stored goes by that",
		f.Kind, f.Copy, f.Release, l.manifest.APIVersion, l.manifest.Kind, told, step, f.Stage, d.e.made(step), c.APIVersion, storageHash(c))
	d.find(f)
}
