package play

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/template"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/mask"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/probe"
	"github.com/skewsim/skewsim/sim/schema"
)

// maxValues is how many values of a field are asked for: of more, the rest is taken as set by somebody.
const maxValues = 32

// standing finds the values that today's objects have already of those after which there is no clean way
// back.
type standing struct {
	writes []preflight.Threshold
	values map[int]map[valueAt]*standingValue // by the write
}

// valueAt is a value as JSON, where objects have it. The text is "" for all values after the first ones.
type valueAt struct{ path, text string }

// standingValue is one value that objects have.
type standingValue struct {
	example reading.Record
	path    string
	keys    []string // of the objects that have it
	// made is the Pod that the example's template makes, podPath where that has the value; nil: the example
	// itself is what a release is asked for.
	made    *reading.Record
	podPath string
	// filled reports that the newer release fills the value in, taken that the older one takes it.
	filled, taken bool
}

// note notes what the newer release shows of one object, its template included.
func (s *standing) note(r *reading.Record) {
	group := preflight.GroupOf(r.Form)
	s.place(group, r)
	var object map[string]any
	for i, write := range s.writes {
		at, ofPod := write.At(group, r.Kind), ""
		if at == "" && write.Known() { // of a field that is new, each template is a place of its own
			ofPod = write.At("", template.Made)
			at = ofPod
		}
		if at == "" || !r.Decodes() || !bytes.Contains(r.Object, []byte(`"`+strings.TrimRight(at[strings.LastIndexByte(at, '.')+1:], "[]")+`"`)) {
			continue
		}
		if object == nil && utiljson.Unmarshal(r.Object, &object) != nil {
			return
		}
		found := standingValue{example: *r, path: at}
		if ofPod != "" && !found.ofTemplate(object, ofPod) {
			continue
		}
		for _, v := range write.Values(object, found.path) {
			s.add(i, v, found)
		}
	}
}

// place counts an object that has a place for fields which controllers of the newer release may write.
func (s *standing) place(group string, r *reading.Record) {
	object := sync.OnceValue(func() (object any) {
		_ = utiljson.Unmarshal(r.Object, &object) // of an answer that was read
		return object
	})
	for i := range s.writes {
		at := s.writes[i].At(group, r.Kind)
		if at != "" && s.writes[i].OfControllers(at) && r.Decodes() && preflight.HasPlace(object, at) {
			s.writes[i].Writable++
		}
	}
}

// ofTemplate makes a value of a Pod one of the template of an object; false if that has no template, or makes
// no more Pods.
func (v *standingValue) ofTemplate(object map[string]any, podPath string) bool {
	r := v.example
	makes, _ := template.Of(object, r.Namespace)
	if makes == nil || template.Ephemeral(preflight.GroupOf(r.Form), r.Kind, object) {
		return false
	}
	made, _ := json.Marshal(makes) // it came from JSON
	v.made = &reading.Record{Key: "/registry/pods/" + r.Namespace + "/" + r.Name, APIVersion: "v1", Kind: template.Made, Form: "v1", Namespace: r.Namespace, Name: r.Name, Object: made}
	v.path, v.podPath = template.At(object)+podPath, podPath
	return true
}

// asked returns the object that a release is asked to take as a new one, and where that has the value.
func (v *standingValue) asked() (reading.Record, string) {
	if v.made != nil {
		return *v.made, v.podPath
	}
	return v.example, v.path
}

func (s *standing) add(write int, value any, found standingValue) {
	if s.values == nil {
		s.values = map[int]map[valueAt]*standingValue{}
	}
	if s.values[write] == nil {
		s.values[write] = map[valueAt]*standingValue{}
	}
	text, _ := json.Marshal(value) // it came from JSON
	of, r := s.values[write], &found.example
	at := valueAt{found.path, string(text)}
	if of[at] == nil && len(of) >= maxValues {
		at.text = ""
	}
	v := of[at]
	if v == nil {
		v = &found
		of[at] = v
	}
	if len(v.keys) == 0 || v.keys[len(v.keys)-1] != r.Key {
		v.keys = append(v.keys, r.Key)
	}
}

// askNewer asks the newer release which values it fills in by itself, and which of those of templates it drops
// from Pods itself.
func (s *standing) askNewer(ctx context.Context, server *probe.Server, forms reading.Forms) error {
	for i, values := range s.values {
		for at, v := range values {
			if at.text == "" {
				continue
			}
			if v.made != nil {
				made, _, err := reading.Anew(ctx, server.Conn, forms, *v.made)
				if err != nil {
					return err
				}
				v.filled = made != nil && !s.has(i, made, v.podPath, at.text)
			}
			answer, err := reading.Without(ctx, server.Conn, forms, v.example, v.path)
			if err != nil {
				return err
			}
			for _, again := range s.writes[i].Values(answer, v.path) {
				now, _ := json.Marshal(again)
				v.filled = v.filled || string(now) == at.text
			}
		}
	}
	return nil
}

// has reports whether an answer has a value, with whatever a release has filled into it; any value for "".
func (s *standing) has(write int, answer map[string]any, path, text string) bool {
	var sent any
	_ = json.Unmarshal([]byte(text), &sent) // it was written as JSON, or is ""
	return slices.ContainsFunc(s.writes[write].Values(answer, path), func(got any) bool {
		raw, _ := json.Marshal(got) // of an answer that was read
		var now any
		_ = json.Unmarshal(raw, &now)
		d := schema.Kind{}.Compare(map[string]any{"value": sent}, map[string]any{"value": now})
		return text == "" || len(d.Hidden)+len(d.Changed) == 0
	})
}

// askOlder asks the older release which values it takes in a new object.
func (s *standing) askOlder(ctx context.Context, server *probe.Server, forms reading.Forms, fields *mask.Fields) error {
	for i, values := range s.values {
		if !s.writes[i].Known() {
			continue // it has no such field
		}
		for at, v := range values {
			if v.filled {
				continue
			}
			object, path := v.asked()
			if form, _ := forms.Of(object.Key, object.APIVersion, object.Kind); form.InStatus(path) {
				v.taken = true // no new object has it: what old ones keep of it is played
				continue
			}
			answer, try, err := reading.Anew(ctx, server.Conn, forms, object)
			if err != nil {
				return err
			}
			v.taken = true // unless the answer says otherwise
			if answer != nil {
				v.taken = s.has(i, answer, path, at.text)
			}
			for _, c := range try.Causes { // a refused template is found as such
				if about := fields.Path(object.Form, object.Kind, c.Path()); v.made == nil && (preflight.Above(about, path) || preflight.Above(path, about)) {
					v.taken = false
				}
			}
		}
	}
	return nil
}

// count counts the objects that have such a value. What was not asked of the older release is not
// counted where a gate of its own decides.
func (s *standing) count(asked bool) (writes []preflight.Threshold, objects int) {
	all := map[string]bool{}
	for i := range s.values {
		of := s.of(i, asked)
		for key := range of {
			all[key] = true
		}
		s.writes[i].Objects = len(of)
	}
	return s.writes, len(all)
}

// of returns the paths of one write in the objects that have it, by their keys.
func (s *standing) of(write int, asked bool) map[string]string {
	all := map[string]string{}
	for _, v := range s.values[write] {
		if v.filled || s.writes[write].Known() && (v.taken || !asked) {
			continue
		}
		for _, key := range v.keys {
			all[key] = v.path
		}
	}
	return all
}

// kept adds the findings about values that the older release keeps, and takes in no new object. A field that
// it does not have is lost, which is found already.
func (j *judgement) kept(alone taken, asked bool) error {
	paths := map[string][]string{} // by keys
	for i, write := range j.standing.writes {
		if !write.Known() {
			continue
		}
		for key, at := range j.standing.of(i, asked) {
			paths[key] = append(paths[key], at)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	return reading.Each(alone.file, func(r *reading.Record) error {
		for _, at := range paths[r.Key] {
			if f, is := j.judged.Kept(j.seen(alone, r), at, j.versions[term.Old], preflight.PhaseBack); is {
				j.judged.Add(f)
			}
		}
		return nil
	})
}
