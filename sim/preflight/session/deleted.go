package session

import (
	"context"

	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/storage"
)

// unstarted are the objects of a store before a server has started on it: their versions and kinds, by keys.
type unstarted map[string]storedAs

type storedAs struct{ apiVersion, kind string }

// unstarted returns the objects of a store.
func (h *hop) unstarted(ctx context.Context, on *etcd.Server) (unstarted, error) {
	all, known := unstarted{}, map[storedAs]storedAs{}
	err := h.stored(ctx, on, func(key string, value []byte, _ int64) error {
		e := storage.Describe(value)
		as := storedAs{e.APIVersion, e.Kind}
		if _, is := known[as]; !is {
			known[as] = as // one text for all objects of a kind
		}
		if !h.judged.Excluded(key) {
			all[key] = known[as]
		}
		return nil
	})
	return all, err
}

// collected notes the objects that are gone since servers of the first release have started.
func (h *hop) collected(before unstarted, base taken) error {
	err := reading.Each(base.file, func(r *reading.Record) error {
		if !r.Gone {
			delete(before, r.Key)
		}
		return nil
	})
	for key, as := range before {
		r := reading.Place(h.forms(base.role), key, as.apiVersion, as.kind)
		h.deleted(base, &r)
	}
	return err
}

// deleted notes an object of the source that a server has deleted by itself.
func (j *judgement) deleted(in taken, r *reading.Record) {
	j.gone = append(j.gone, preflight.Deleted{Group: preflight.GroupOf(r.APIVersion), Kind: r.Kind, Namespace: r.Namespace, Name: r.Name, Phase: in.phase, By: collector(r)})
}

// collector returns the controller of API servers that deletes an object when it starts; "" if none is known.
func collector(r *reading.Record) string {
	switch {
	case r.IsCustom():
		return "the finalizer of custom resource definitions"
	case r.Kind == "Lease":
		return "the garbage collector of API server leases"
	case r.Kind == "FlowSchema" || r.Kind == "PriorityLevelConfiguration":
		return "the controller of API priority and fairness"
	case r.Kind == "APIService":
		return "the controller that registers API groups"
	case r.Kind == "IPAddress":
		return "the repair of IP addresses of Services"
	case r.Kind == "Event":
		return "the expiry of Events"
	}
	return ""
}
