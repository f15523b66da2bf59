package preflight_test

import (
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
)

// hostile is text that means something to a browser, a forge, a spreadsheet or a terminal.
const hostile = "</script><img src=x onerror=alert(1)>|`@admin` [x](javascript:alert(1)) \u202egnp\x1b[31m =cmd|' /C calc'!A0 ]]>"

const older, newer = "v1.36.2", "v1.37.0"

var source = preflight.Source{Kind: "snapshot", Digest: "sha256:" + strings.Repeat("cd", 32), Objects: 18219, Release: "v1.35.4", Stated: "--from",
	CannotSee: []string{"values that KMS encrypted: provider kms, key id 7"}, Removed: []string{"ValidatingWebhookConfiguration guard: it would be called"}, Skipped: []string{"3 keys outside the prefix"},
	FlagsTaken: []string{"--feature-gates=AnyVolumeDataSource=true"}, FlagsLeft: []string{"--audit-log-path: skewsim sets it: servers of a run write no audit log"}}

// stories is a finding of each class.
func stories() []preflight.Finding {
	up := func(c term.Outcome, group, kind, path, message string) preflight.Finding {
		return preflight.Finding{Outcome: c, Direction: preflight.Up, Group: group, Kind: kind, Path: path, Message: message, Release: newer, Phase: preflight.PhaseAlone}
	}
	back := func(f preflight.Finding) preflight.Finding {
		f.Direction, f.Release, f.Phase = preflight.Back, older, preflight.PhaseWritten
		return f
	}
	frozen := up(term.Frozen, "apps", "StatefulSet", ".spec.template.spec.hostAliases[].ip", "label was answered 422: StatefulSet … is invalid: spec.template.spec.hostAliases[].ip: Invalid value: …: must not have leading 0s")
	frozen.Write, frozen.Manager = "label", "Argo CD"
	policy := up(term.MeansOther, "", "ConfigMap", "", "label was answered 422: ValidatingAdmissionPolicy … denied request: …")
	policy.Manager = "Flux"
	lost := back(up(term.Lost, "", "Pod", ".spec.resources.claims[]", "the value is gone after v1.36.2 has written the object"))
	lost.Manager, lost.Fix = "Helm", "remove spec.resources.claims before the upgrade"
	return []preflight.Finding{
		{Outcome: term.NotReady, Direction: preflight.Up, Release: newer, Phase: preflight.PhaseAlone, Message: "a server of v1.37.0 was not ready after 3m0s"},
		up(term.Undecodable, "storagemigration.k8s.io", "StorageVersionMigration", "", `GET was answered 500: no kind "StorageVersionMigration" is registered for version "storagemigration.k8s.io/v1alpha1" in scheme "pkg/api/legacyscheme/scheme.go:30"`),
		up(term.Unserved, "resource.k8s.io", "ResourceClaim", "", "v1.37.0 does not serve the kind"),
		frozen, lost,
		up(term.Restarted, "apps", "Deployment", ".spec.template.spec.hostUsers", "the template as served differs from the one that Pods were made from"),
		policy,
		up(term.Changed, "batch", "CronJob", ".spec.jobTemplate.spec.podReplacementPolicy", "v1.37.0 shows another value than v1.36.2, and nobody wrote the object"),
		back(up(term.Hidden, "", "Service", ".spec.trafficDistribution", "v1.36.2 does not show the value that v1.37.0 shows")),
		back(up(term.Indeterminate, "crew.example.com", "Rocket", ".spec.engine", "conversion needs a webhook, and the copy has none")),
	}
}

// findings are n of each story, with names; every third Pod is owned by a ReplicaSet of a Deployment.
func findings(n int) (all []preflight.Finding) {
	for _, story := range stories() {
		for i := range n {
			f := story
			if f.Kind == "" {
				all = append(all, f)
				break
			}
			f.Namespace, f.Name = fmt.Sprintf("team-%d", i%2), fmt.Sprintf("%s-%d", strings.ToLower(f.Kind), i)
			if f.Kind == "Pod" {
				f.Owner = []string{"ReplicaSet bare", "Deployment web", "Deployment web"}[i%3]
			}
			if f.Kind == "CronJob" {
				f.Accepted, f.Until, f.Known = "team-batch", "2027-03-31", "https://example.com/issues/1"
			}
			f.Earlier = f.Kind == "Service" && i > 0
			all = append(all, f)
		}
	}
	for i := range n {
		r := preflight.Finding{Outcome: term.Lost, Direction: preflight.Back, Group: "apps", Kind: "ReplicaSet", Namespace: fmt.Sprintf("team-%d", i%2), Name: fmt.Sprintf("web-%d", i%3),
			Path: ".spec.template.spec.hostUsers", Message: "the value is gone after v1.36.2 has written the object", Release: older, Phase: preflight.PhaseWritten, Owner: "Deployment web", Ephemeral: true}
		e := r
		e.Group, e.Kind, e.Name, e.Owner = "", "Event", fmt.Sprintf("pod-0.%d", i), ""
		all = append(all, r, e)
	}
	return all
}

func hop(n int) preflight.Hop {
	h := preflight.Hop{
		From: preflight.Build{Reference: "v1.36", Version: older, Digest: "sha256:" + strings.Repeat("ab", 32)}, To: preflight.Build{Reference: "v1.37", Version: newer},
		Findings: findings(n), Written: map[string]int{"ClusterRole": 4, "FlowSchema": 2},
		PointOfNoReturn: []preflight.Threshold{
			{Kind: "Pod", Path: ".spec.hostUsers", What: "someone sets .spec.hostUsers of a Pod", Gate: "UserNamespaces"},
			{Kind: "Node", Path: ".status.new", What: "someone sets .status.new of a Node", Writable: 3},
			{Kind: "Volume", What: "a server writes a Volume, which is stored as v2 then"},
			{What: "someone sets .spec.x of a Pod to what needs the gate PodLevelThing", Gate: "PodLevelThing"},
		},
	}
	h.Gates = []preflight.Gate{{Name: "HPAScaleToZero", Old: &preflight.GateState{Stage: "ALPHA"}, New: preflight.GateState{Stage: "BETA", Default: true}, Stores: true}, {Name: "WatchListCompression", New: preflight.GateState{Stage: "GA", Default: true, Locked: true}}}
	broken := preflight.Finding{Outcome: term.Frozen, Direction: preflight.Up, Kind: "PersistentVolume", Name: "pv-1", Path: ".spec.nfs.path", Message: "label was answered 422: spec.nfs.path: Invalid value: …", Release: older, Phase: preflight.PhaseBaseline, Write: "label"}
	h.Baseline = []preflight.Finding{broken}
	for i, name := range []string{preflight.PhaseBaseline, preflight.PhaseBeside, preflight.PhaseAlone, preflight.PhaseBack, preflight.PhaseRewrote, preflight.PhaseWritten} {
		h.Phases = append(h.Phases, preflight.Phase{Name: name, Seconds: 12.25 * float64(i+1), Objects: 18219, Tried: 400 * i, Shared: 3000 * i})
	}
	seen := map[[2]string]int{}
	for _, f := range h.Findings {
		key := [2]string{f.Group, f.Kind}
		if f.Kind == "" {
			continue
		}
		at, known := seen[key]
		if !known {
			at, seen[key] = len(h.Kinds), len(h.Kinds)
			h.Kinds = append(h.Kinds, preflight.Kind{Group: f.Group, Kind: f.Kind, Objects: 10 * n, Outcomes: map[term.Outcome]int{}})
		}
		h.Kinds[at].Outcomes[f.Outcome]++
	}
	h.Kinds = append(h.Kinds, preflight.Kind{Kind: "Secret", Objects: 812}, preflight.Kind{Group: "rbac.authorization.k8s.io", Kind: "Role", Objects: 77})
	h.Defaulted = []preflight.Default{{Kind: "Pod", Path: ".spec.hostUsers", Objects: 4}, {Kind: "Service", Path: ".spec.trafficDistribution", Objects: 1}}
	h.Deleted = []preflight.Deleted{{Group: "coordination.k8s.io", Kind: "Lease", Namespace: "kube-system", Name: "apiserver-1", Phase: preflight.PhaseAlone, By: "the garbage collector of API server leases"}}
	h.Grade(source)
	return h
}

// quiet is a hop without a finding.
func quiet() preflight.Hop {
	h := hop(1)
	h.Findings, h.Baseline, h.PointOfNoReturn, h.Gates = nil, nil, nil, nil
	for i := range h.Kinds {
		h.Kinds[i].Outcomes = nil
	}
	h.From.Version, h.To.Version = "v1.35.4", older
	h.Grade(source)
	return h
}

// fixture has a hop without a finding, and one with n of each class.
func fixture(n int) preflight.Result {
	return preflight.Result{
		SchemaVersion: preflight.SchemaVersion, Date: "2026-11-23", Command: "skewsim preflight snapshot.db --from v1.35 --to v1.37",
		Source: source, Since: &preflight.Since{File: "last/preflight.json", New: 12, Gone: 3}, Notes: []string{"allow.yaml:7: this line accepts nothing any more"},
		Hops: []preflight.Hop{quiet(), hop(n)},
	}
}
