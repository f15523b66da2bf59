package run

import (
	"encoding/json"
	"path"
	"sync"

	"github.com/skewsim/skewsim/sim/plan"
)

// names is what the run knows of what its objects are called.
type names struct {
	inside, outside map[string]string // copies by their objects' names, in the plan's namespace and in none
	given           sync.Map          // by copy: the name that a server gave
}

// copyOf is the copy that an object of this name is of, in a namespace or in none.
func (w *walker) copyOf(object string, namespaced bool) (string, bool) {
	if namespaced {
		return plan.Named(w.names.inside, object)
	}
	return plan.Named(w.names.outside, object)
}

// called is the name of a copy's object.
func (w *walker) called(copy string, namespaced bool) string {
	if given := w.given(copy); given != "" {
		return given
	}
	return w.config.Plan.ObjectName(w.copies[copy], namespaced)
}

// given is the name that a server gave the copy's object, "" when none has.
func (w *walker) given(copy string) string {
	given, _ := w.names.given.Load(copy)
	name, _ := given.(string)
	return name
}

// learnName remembers the name that a server has given. The first one stays.
func (w *walker) learnName(c plan.Copy, object string) {
	if object != "" && w.config.Plan.Generated(c) {
		w.names.given.LoadOrStore(c.Name, object)
	}
}

// learnKey learns such a name from the store: of an object that an earlier leg of a
// chain has made, or whose birth has had no clear answer.
func (w *walker) learnKey(change StoreChange) {
	object := path.Base(change.Key)
	for _, namespaced := range []bool{true, false} {
		if copy, own := w.copyOf(object, namespaced); own && !change.Deleted {
			w.learnName(w.copies[copy], object)
		}
	}
}

// nameIn is the name of the object that an answer shows, "" when it shows none.
func nameIn(body []byte) string {
	var o struct{ Metadata struct{ Name string } }
	_ = json.Unmarshal(body, &o) // what cannot be read names nothing
	return o.Metadata.Name
}
