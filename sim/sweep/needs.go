package sweep

import (
	"fmt"
	"net/netip"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/objects/try"
)

// NeedID is the name, in the scenario, of an object that another one needs.
func NeedID(id string, i int) string { return fmt.Sprintf("%s-n%d", id, i+1) }

// needName is the name that such an object has on servers: the namespace of the run is in it, so
// that objects without a namespace differ from run to run, and the object that needs it can name
// it.
func needName(id string, i int) string { return NeedID(id, i) + "-" + string(term.CopyNamespace) }

// WithNeedsNamed returns a specimen with the names that its needs have in a run, wherever the
// specimen mentions them; id is the name of its object.
func WithNeedsNamed(id string, s try.Specimen) try.Specimen {
	if len(s.Needs) == 0 {
		return s
	}
	names := map[string]string{}
	for i, need := range s.Needs {
		if name := NameIn(need); name != "" {
			names[name] = needName(id, i)
		}
	}
	s.Object = renamed(s.Object, names).(map[string]any)
	all := make([]map[string]any, len(s.Needs))
	for i, need := range s.Needs {
		all[i] = renamed(need, names).(map[string]any)
		meta, _ := all[i]["metadata"].(map[string]any)
		if meta == nil {
			meta = map[string]any{}
			all[i]["metadata"] = meta
		}
		meta["name"] = needName(id, i)
	}
	s.Needs = all
	return s
}

// NameIn returns the name of an object; "": it has none.
func NameIn(object map[string]any) string {
	meta, _ := object["metadata"].(map[string]any)
	name, _ := meta["name"].(string)
	return name
}

// renamed returns a copy of the value in which texts that are names have their new ones.
func renamed(value any, names map[string]string) any {
	switch v := value.(type) {
	case map[string]any:
		own := make(map[string]any, len(v))
		for key, member := range v {
			own[key] = renamed(member, names)
		}
		return own
	case []any:
		own := make([]any, len(v))
		for i, item := range v {
			own[i] = renamed(item, names)
		}
		return own
	case string:
		if name, is := names[v]; is {
			return name
		}
	}
	return runtime.DeepCopyJSONValue(value)
}

// WithNameForm gives copies of an object names of the form that its own has, where not every kind
// would take a plain one, or where not every release takes the form: a prefix that ends in a colon, a
// part that other fields repeat, an address, or a digit at the beginning.
func WithNameForm(body map[string]any) map[string]any {
	meta, _ := body["metadata"].(map[string]any)
	name, _ := meta["name"].(string)
	if strings.Contains(name, "$(copy.") {
		return body
	}
	if _, err := netip.ParseAddr(name); err == nil {
		meta["name"] = string(term.CopyIP)
		return body
	}
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		meta["name"] = name[:1] + string(term.CopyName)
		return body
	}
	if form := objects.NamingOf(body); !form.IsFree() {
		body, _ = form.Name(body, string(term.CopyName))
	}
	return body
}
