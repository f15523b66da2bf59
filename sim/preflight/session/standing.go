package session

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/probe"
)

// mostValues is how many values of a field are asked for: of more, the rest is taken as set by somebody.
const mostValues = 32

// standing finds the values that today's objects have already of those after which there is no clean way
// back.
type standing struct {
	writes []preflight.Threshold
	values map[int]map[string]*standingValue // by the write, and by the value as JSON
}

// standingValue is one value that objects have.
type standingValue struct {
	example reading.Record
	path    string
	keys    []string // of the objects that have it
	// filled reports that the newer release fills the value in, taken that the older one takes it.
	filled, taken bool
}

// note notes what the newer release shows of one object.
func (s *standing) note(r *reading.Record) {
	group := preflight.GroupOf(r.Form)
	var object map[string]any
	for i, write := range s.writes {
		at := write.At(group, r.Kind)
		if at == "" || !r.Decodes() || !bytes.Contains(r.Object, []byte(`"`+strings.TrimRight(at[strings.LastIndexByte(at, '.')+1:], "[]")+`"`)) {
			continue
		}
		if object == nil && json.Unmarshal(r.Object, &object) != nil {
			return
		}
		for _, v := range write.Values(object, at) {
			s.add(i, at, v, r)
		}
	}
}

func (s *standing) add(write int, at string, value any, r *reading.Record) {
	if s.values == nil {
		s.values = map[int]map[string]*standingValue{}
	}
	if s.values[write] == nil {
		s.values[write] = map[string]*standingValue{}
	}
	text, _ := json.Marshal(value) // it came from JSON
	of := s.values[write]
	if of[string(text)] == nil && len(of) == mostValues {
		text = nil
	}
	v := of[string(text)]
	if v == nil {
		v = &standingValue{example: *r, path: at}
		of[string(text)] = v
	}
	if len(v.keys) == 0 || v.keys[len(v.keys)-1] != r.Key {
		v.keys = append(v.keys, r.Key)
	}
}

// askNewer asks the newer release which values it fills in by itself.
func (s *standing) askNewer(ctx context.Context, server *probe.Server, forms reading.Forms) error {
	for i, values := range s.values {
		for text, v := range values {
			if text == "" {
				continue
			}
			answer, err := reading.Without(ctx, server.Conn, forms, v.example, v.path)
			if err != nil {
				return err
			}
			for _, again := range s.writes[i].Values(answer, v.path) {
				now, _ := json.Marshal(again)
				v.filled = v.filled || string(now) == text
			}
		}
	}
	return nil
}

// askOlder asks the older release which values it takes in a new object.
func (s *standing) askOlder(ctx context.Context, server *probe.Server, forms reading.Forms, fields *preflight.Fields) error {
	for i, values := range s.values {
		if !s.writes[i].Known() {
			continue // it has no such field
		}
		for text, v := range values {
			if v.filled {
				continue
			}
			if form, _ := forms.Of(v.example.Key, v.example.APIVersion, v.example.Kind); form.InStatus(v.path) {
				v.taken = true // no new object has it: what old ones keep of it is played
				continue
			}
			answer, try, err := reading.Anew(ctx, server.Conn, forms, v.example)
			if err != nil {
				return err
			}
			v.taken = true // unless the answer says otherwise
			if answer != nil {
				v.taken = false
				for _, again := range s.writes[i].Values(answer, v.path) {
					now, _ := json.Marshal(again)
					v.taken = v.taken || text == "" || string(now) == text
				}
			}
			for _, c := range try.Causes {
				if about := fields.Path(v.example.Form, v.example.Kind, "."+c.Field); preflight.Above(about, v.path) || preflight.Above(v.path, about) {
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
