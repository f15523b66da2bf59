package play

import (
	"context"
	"maps"
	"slices"

	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/storage"
)

// unstarted are the objects of a store before a server has started on it: their versions and kinds, by keys.
type unstarted map[string]storedAs

type storedAs struct{ apiVersion, kind string }

// unstarted returns the objects of a store, without those that are left out.
func (s *session) unstarted(ctx context.Context, on *etcd.Server, excluded func(key string) bool) (unstarted, error) {
	all, known := unstarted{}, map[storedAs]storedAs{}
	err := s.stored(ctx, on, func(key string, value []byte, _ int64) error {
		e := storage.Describe(value)
		as := storedAs{e.APIVersion, e.Kind}
		if _, is := known[as]; !is {
			known[as] = as // one text for all objects of a kind
		}
		if !excluded(key) {
			all[string([]rune(key))] = known[as] // as JSON has it: records are written as such
		}
		return nil
	})
	return all, err
}

// collected notes the objects that are gone since servers of the first release have started.
func (j *judgement) collected(before unstarted, base taken, forms reading.Forms) error {
	err := reading.Each(base.file, func(r *reading.Record) error {
		if !r.Gone {
			delete(before, r.Key)
		}
		return nil
	})
	for _, key := range slices.Sorted(maps.Keys(before)) {
		as := before[key]
		r := reading.Place(forms, key, as.apiVersion, as.kind)
		j.deleted(base, &r)
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
