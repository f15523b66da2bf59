package sweep

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/exercise"
)

// needID is the name, in the scenario, of an object that another one needs.
func needID(id string, i int) string { return fmt.Sprintf("%s-n%d", id, i+1) }

// needName is the name that such an object has on servers: the namespace of the run is in it, so
// that objects without a namespace differ from run to run, and the object that needs it can name
// it.
func needName(id string, i int) string { return needID(id, i) + "-" + string(term.CopyNamespace) }

// withNeedsNamed returns the specimen with the names that its needs have in a run, wherever the
// specimen mentions them.
func withNeedsNamed(o Object) exercise.Specimen {
	s := o.Specimen
	if len(s.Needs) == 0 {
		return s
	}
	names := map[string]string{}
	for i, need := range s.Needs {
		if name := nameIn(need); name != "" {
			names[name] = needName(o.Target.ID, i)
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
		meta["name"] = needName(o.Target.ID, i)
	}
	s.Needs = all
	return s
}

func nameIn(object map[string]any) string {
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

// needs adds the objects that must exist before the object is created: at the first stage, since
// the objects of one stage are created in any order. They have no form to compare with, so no
// control copies have their names.
func (m member) needs() error {
	for i, need := range m.object.Specimen.Needs {
		id := needID(m.object.Target.ID, i)
		m.model.Objects[id] = scenarios.Object{Treated: objectFile(id)}
		m.model.Play = append(m.model.Play, scenarios.Line{
			Create: id, Via: target(term.Old), At: []string{stageOld}, Respond: &scenarios.Respond{},
		})
		if err := m.file(id, need); err != nil {
			return err
		}
	}
	return nil
}
