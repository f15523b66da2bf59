package play

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/sweep"
)

// definitionsPath is the path of definitions.
const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"

// refusedCodes are those with which a server says that it does not take a definition: others are not about it.
func refusedCodes() []int {
	return []int{http.StatusBadRequest, http.StatusForbidden, http.StatusUnprocessableEntity}
}

// dryRun asks a server for one definition in place of the one that it has.
func dryRun(ctx context.Context, on *try.Server, name string, object []byte) (client.Answer, error) {
	a := on.Do(ctx, client.Request{
		Method: http.MethodPatch, Path: definitionsPath + name, ContentType: "application/apply-patch+yaml",
		Body: object, Query: map[string]string{"dryRun": "All", "force": "true", "fieldManager": crd.Manager}, UserAgent: "skewsim-sweep",
	})
	switch {
	case a.Err != nil:
		return a, a.Err
	case !a.Succeeded() && !slices.Contains(refusedCodes(), a.Code):
		return a, fmt.Errorf("definition %s: dry run: %d %s; run the sweep again", name, a.Code, a.Text())
	}
	return a, nil
}

// findRefusals asks the servers of each release whether they take the definitions of the other one in place of
// theirs, as a roll-out has it: no object is needed for that.
func (s *session) findRefusals(ctx context.Context, at lapServers) error {
	old, new := s.builds[term.Old].Installs, s.builds[term.New].Installs
	if old == nil || new == nil {
		return nil
	}
	for n, name := range new.Defines {
		i := slices.Index(old.Defines, name)
		isImmovable := slices.ContainsFunc(s.immovable, func(m immovable) bool { return m.name == name })
		if i < 0 || isImmovable || bytes.Equal(old.Objects[i], new.Objects[n]) {
			continue
		}
		for role, ask := range map[term.Role][]byte{term.Old: new.Objects[n], term.New: old.Objects[i]} {
			reply, err := dryRun(ctx, at[role].tried, name, ask)
			if err != nil {
				return err
			}
			if !reply.Succeeded() {
				s.refusals = append(s.refusals, refusalOf(placeOfDefinition(new, n), role.Other(), reply))
			}
		}
		if err := s.findOnceStored(ctx, at[term.Old].tried, old, i, new.Objects[n]); err != nil {
			return err
		}
	}
	return nil
}

// refusalOf returns the refusal of a release's definition by the server of the other one.
func refusalOf(d definition, of term.Role, reply client.Answer) sweep.RefusedDefinition {
	stage := sweep.StageRolledBack
	if of == term.New {
		stage = sweep.StageNew
	}
	cause := sweep.CauseOf(result.Finding{Outcome: term.Refused, Cause: term.Unattributed}, sweep.Refusal{Code: reply.Code, Message: reply.Text(), Causes: try.StatusCauses(reply), SendsValue: true})
	if strings.Contains(reply.Text(), "status.storedVersions") {
		cause = term.BadVersion
	}
	return sweep.RefusedDefinition{Group: d.Spec.Group, Kind: d.Spec.Names.Kind, Of: of, Stage: stage, Message: reply.Text(), Cause: cause}
}

// findOnceStored asks the server of the old definitions whether it takes a new one where the cluster has once
// stored objects in a version that the new one drops. Only the status of a definition says so.
func (s *session) findOnceStored(ctx context.Context, on *try.Server, old *servers.Installation, i int, object []byte) error {
	dropped := droppedVersions(old.Objects[i], object)
	if len(dropped) == 0 {
		return nil
	}
	name, d := old.Defines[i], placeOfDefinition(old, i)
	stored, err := storedVersions(ctx, on, name)
	if err != nil {
		return err
	}
	for _, v := range dropped {
		if slices.Contains(stored, v) {
			continue // it is refused as it is
		}
		if err := setStoredVersions(ctx, on, name, append(slices.Clone(stored), v)); err != nil {
			return err
		}
		reply, err := dryRun(ctx, on, name, object)
		if err == nil {
			err = setStoredVersions(ctx, on, name, stored)
		}
		if err != nil {
			return err
		}
		if !reply.Succeeded() {
			s.onceStored = append(s.onceStored, sweep.OnceStored{Group: d.Spec.Group, Kind: d.Spec.Names.Kind, Version: v, Message: reply.Text()})
		}
	}
	return nil
}

// droppedVersions returns the versions of a definition that another one lacks.
func droppedVersions(old, new []byte) (names []string) {
	var before, after struct {
		Spec struct {
			Versions []struct {
				Name string `json:"name"`
			} `json:"versions"`
		} `json:"spec"`
	}
	_, _ = json.Unmarshal(old, &before), json.Unmarshal(new, &after) // a build has only definitions that were read
	for _, v := range before.Spec.Versions {
		if !slices.Contains(after.Spec.Versions, v) {
			names = append(names, v.Name)
		}
	}
	return names
}

// storedVersions returns the versions in which a server says that objects of a definition may be stored.
func storedVersions(ctx context.Context, on *try.Server, name string) ([]string, error) {
	a := on.Do(ctx, client.Request{Method: http.MethodGet, Path: definitionsPath + name, UserAgent: "skewsim-sweep"})
	var d struct {
		Status struct {
			StoredVersions []string `json:"storedVersions"`
		} `json:"status"`
	}
	if a.Err != nil || !a.Succeeded() {
		return nil, fmt.Errorf("definition %s: read its stored versions: %d %s %w", name, a.Code, a.Text(), a.Err)
	}
	return d.Status.StoredVersions, json.Unmarshal(a.Body, &d)
}

// setStoredVersions has a server say that objects of a definition may be stored in some versions.
func setStoredVersions(ctx context.Context, on *try.Server, name string, versions []string) error {
	body, err := json.Marshal(map[string]any{term.StatusPart: map[string]any{"storedVersions": versions}})
	if err != nil {
		return err
	}
	a := on.Do(ctx, client.Request{Method: http.MethodPatch, Path: definitionsPath + name + "/" + term.StatusPart, ContentType: "application/merge-patch+json", Body: body, UserAgent: "skewsim-sweep"})
	if a.Err != nil || !a.Succeeded() {
		return fmt.Errorf("definition %s: set its stored versions: %d %s %w", name, a.Code, a.Text(), a.Err)
	}
	return nil
}
