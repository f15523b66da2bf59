package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/sweep"
)

// sweptCase is a scenario of the catalogue whose fact a sweep finds without the scenario.
type sweptCase struct {
	scenario   string
	difference term.DifferenceKind
	kind       string // with objects that show it
	what       string // a name, or a field
	lap        term.Lap
	verdict    term.Effect
}

// sweptCases are the cases of each pair, by what published schemas, feature gates and hints lead to.
func sweptCases() map[string][]sweptCase {
	return map[string][]sweptCase{
		"v1.36..v1.37": {
			{"emptydir-mode", term.FieldAdded, "Pod", ".spec.volumes[].emptyDir.mode", term.GatesLap, term.Lost.By(term.OldServer)},
			{"redefaulted", term.FieldAdded, "Pod", ".spec.containers[].livenessProbe.httpGet.protocol", term.GatesLap, term.Lost.By(term.OldServer)},
			{"gate-default", term.GateChanged, "StatefulSet", "MaxUnavailableStatefulSet", term.DefaultLap, term.Changed.Effect()},
			{"default-flips", term.GateChanged, "CSIDriver", "VolumeLimitScaling", term.DefaultLap, term.Changed.Effect()},
			{"one-way-door", term.GateChanged, "HorizontalPodAutoscaler", "HPAScaleToZero", term.DefaultLap, term.Refused.Effect()},
		},
		"v1.35..v1.36": {
			{"union-member", term.FieldAdded, "ResourceSlice", ".spec.devices[].attributes[].strings", term.GatesLap, term.Frozen.Effect()},
			{"tombstone-rename", term.FieldRemoved, "Pod", ".spec.workloadRef", term.GatesLap, term.Lost.By(term.NewRelease)},
			{"tombstone-rename", term.FieldAdded, "Pod", ".spec.schedulingGroup", term.GatesLap, term.Lost.By(term.OldServer)},
			{"enum-right", term.GateChanged, "Pod", "RestartAllContainersOnContainerExits", term.DefaultLap, term.Refused.Effect()},
			{"ratchet-missing", term.GateChanged, "Deployment", "StrictIPCIDRValidation", term.DefaultLap, term.Frozen.Effect()},
			{"relaxed-name", term.GateChanged, "Service", "RelaxedServiceNameValidation", term.DefaultLap, term.Refused.Effect()},
		},
		"v1.34..v1.35": {
			{"default-loss", term.FieldAdded, "CSIDriver", ".spec.serviceAccountTokenInSecrets", term.DefaultLap, term.Lost.By(term.OldServer)},
			{"enum-unknown", term.EnumValueAdded, "Pod", "Gt", term.GatesLap, term.Frozen.Effect()},
			{"storage-undecodable", term.StorageChanged, "StorageVersionMigration", "", term.GatesLap, term.Undecodable.Effect()},
			{"gate-reject", term.GateChanged, "Deployment", "EnvFiles", term.DefaultLap, term.Refused.Effect()},
			{"gate-vanish", term.GateChanged, "Pod", "ImageVolume", term.DefaultLap, term.Dropped.Effect()},
		},
		"v1.33..v1.34": {
			{"storage-bump", term.StorageChanged, "ServiceCIDR", "", "", term.Kept.Effect()},
			{"gate-kept", term.GateChanged, "Pod", "PodLevelResources", term.DefaultLap, term.Dropped.Effect()},
			{"enum-frozen", term.GateChanged, "Service", "PreferSameTrafficDistribution", term.DefaultLap, term.Frozen.Effect()},
			{"ratchet-hpa", term.RuleChanged, "HorizontalPodAutoscaler", ".spec.scaleTargetRef.apiVersion", term.DefaultLap, term.Refused.Effect()},
		},
		"v1.32..v1.33": {
			{"ratchet-servicename", term.RuleChanged, "StatefulSet", ".spec.serviceName", term.DefaultLap, term.Refused.Effect()},
		},
	}
}

// TestNightlySweepCases: sweeps find what scenarios of the catalogue were written for, with the verdict
// that the scenario has.
func TestNightlySweepCases(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	for _, pair := range tiers.Shard(t, tiers.Plays(t, tiers.Nightly).Pairs) {
		cases := sweptCases()[minorsOf(pair)]
		t.Run(pair, func(t *testing.T) {
			if len(cases) == 0 {
				t.Skip("no case is about these releases")
			}
			available(t, pair)
			r := swept(t, engine.Ends{Pair: pair}, sweep.Scope{Kinds: kindsOf(cases)})
			for _, c := range cases {
				assert.Equal(t, c.verdict, c.of(r).Effect, "%s: %s of %s %s in the lap %q", c.scenario, c.difference, c.kind, c.what, c.lap)
			}
		})
	}
}

// minorsOf returns the minor releases of a pair: v1.36..v1.37.
func minorsOf(pair string) string {
	_, versions, _ := strings.Cut(pair, "@")
	old, newer, _ := strings.Cut(versions, "..")
	return strings.TrimSuffix(old, filepath.Ext(old)) + ".." + strings.TrimSuffix(newer, filepath.Ext(newer))
}

func kindsOf(cases []sweptCase) (kinds []string) {
	for _, c := range cases {
		if !slices.Contains(kinds, c.kind) {
			kinds = append(kinds, c.kind)
		}
	}
	return kinds
}

// of returns what a sweep found of a case; without a verdict if it has no such row.
func (c sweptCase) of(r sweep.Result) sweep.LapResult {
	for _, row := range r.Rows {
		if row.Difference.Difference != c.difference || c.what != row.Name && c.what != row.Path {
			continue
		}
		if !row.Difference.Difference.IsGate() && row.Kind != c.kind {
			continue
		}
		for _, o := range row.Laps {
			if c.lap == "" || o.Lap == c.lap {
				return o
			}
		}
	}
	return sweep.LapResult{}
}
