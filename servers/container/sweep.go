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
	// removedWithin bounds how long it may take to remove what is left of a run.
	removedWithin = 2 * time.Minute
	// createdWithin bounds how long after its owner's death a container may still come
	// into being that the owner had asked for.
	createdWithin = 10 * time.Second
	// againAfter is how long an engine that did not do it is left alone.
	againAfter = 200 * time.Millisecond
)

// ownedBy chooses the containers of a run.
func ownedBy(run string) client.Filters { return make(client.Filters).Add("label", runLabel+"="+run) }

// removeAll kills and removes a run's containers until there are none. Some may be on
// their way out already, and are only waited for; those whose names are expected may
// still be on their way in, as whoever asked for them has ended.
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

// insist has something done until it succeeds or ctx ends: an engine that does not answer
// may be on its way up again.
func insist(ctx context.Context, do func() error) error {
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

// remove kills and removes one container. That it is gone, or going, is no error.
func remove(ctx context.Context, api client.APIClient, id string) error {
	_, err := api.ContainerRemove(ctx, id, client.ContainerRemoveOptions{Force: true, RemoveVolumes: true})
	if errdefs.IsNotFound(err) || errdefs.IsConflict(err) {
		return nil
	}
	return err
}

// sweep removes what processes left that have ended, whose guards were ended with
// them. What cannot be removed now is for the next one: nothing here depends on it.
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
