package container

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/client"
)

const (
	// removedWithin bounds the time to remove what is left of a run.
	removedWithin = 2 * time.Minute
	// createdWithin bounds how long after its owner's death a requested container may still be
	// created.
	createdWithin = 10 * time.Second
	// againAfter is the pause before a retry after an engine's failure.
	againAfter = 200 * time.Millisecond
)

// ownedBy selects the containers of a run.
func ownedBy(run string) client.Filters { return make(client.Filters).Add("label", runLabel+"="+run) }

// removeAll kills and removes a run's containers until none are left. It only waits for
// containers that are being removed already. Those whose names are expected may still be
// created, although their owner has ended.
func removeAll(ctx context.Context, api client.APIClient, which client.Filters, expected map[string]bool) error {
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	until := time.Now().Add(createdWithin)
	for {
		found, err := api.ContainerList(ctx, client.ContainerListOptions{All: true, Filters: which})
		if err != nil {
			return fmt.Errorf("containers: look for those that are left: %w", err)
		}
		if len(found.Items) == 0 && (len(expected) == 0 || time.Now().After(until)) {
			return nil
		}
		for _, c := range found.Items {
			err = errors.Join(err, remove(ctx, api, c.ID))
			for _, name := range c.Names {
				delete(expected, strings.TrimPrefix(name, "/"))
			}
		}
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("containers: remove those that are left: %w", context.Cause(ctx)), err)
		case <-again.C:
		}
	}
}

// retry calls do until it succeeds or ctx ends: an engine that does not answer may be
// restarting.
func retry(ctx context.Context, do func() error) error {
	again := time.NewTicker(againAfter)
	defer again.Stop()
	for {
		err := do()
		if err == nil || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-again.C:
		}
	}
}

// remove kills and removes one container. A container that is gone, or being removed, is not an
// error.
func remove(ctx context.Context, api client.APIClient, id string) error {
	_, err := api.ContainerRemove(ctx, id, client.ContainerRemoveOptions{Force: true, RemoveVolumes: true})
	if errdefs.IsNotFound(err) || errdefs.IsConflict(err) {
		return nil
	}
	return err
}

// sweep removes the containers of processes that have ended, if their guards ended too. It
// ignores errors: the next sweep removes what is left.
func sweep(ctx context.Context, api client.APIClient) {
	found, err := api.ContainerList(ctx, client.ContainerListOptions{All: true, Filters: make(client.Filters).Add("label", ownerLabel)})
	if err != nil {
		return
	}
	for _, c := range found.Items {
		if isDead(c.Labels[ownerLabel]) {
			_ = remove(ctx, api, c.ID)
		}
	}
}
