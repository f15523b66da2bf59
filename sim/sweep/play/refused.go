package play

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	values "github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/run/precheck"
	"github.com/skewsim/skewsim/sim/sweep"
)

// refusals returns what is wrong with single objects of generated scenarios, by the object's
// name, as the check before their runs reports it. False: a run failed for another reason.
func refusals(err error, generated []sweep.Generated) (map[string]string, bool) {
	all := map[string]string{}
	for _, e := range leaves(err) {
		name, words := "", e.Error()
		var object *precheck.ObjectError
		var value *precheck.DefaultError
		var line *precheck.LineError
		var kind *precheck.KindError
		var field *precheck.FieldError
		switch {
		case errors.As(e, &object):
			name, words = objectOf(object.Manifest), complaints(object)
		case errors.As(e, &value):
			name = objectOf(value.At)
		case errors.As(e, &kind):
			name = objectOf(kind.At)
		case errors.As(e, &line):
			name, words = objectAt(generated, line.At), line.Reason
		case errors.As(e, &field):
			name = objectAt(generated, field.At)
		}
		if name == "" {
			return nil, false
		}
		all[name] = words
	}
	return all, len(all) > 0
}

// defaultsIn returns the fields whose values equal their defaults, by object.
func defaultsIn(err error) map[string][]string {
	all := map[string][]string{}
	for _, e := range leaves(err) {
		var value *precheck.DefaultError
		if errors.As(e, &value) {
			name := objectOf(value.At)
			all[name] = append(all[name], value.Path)
		}
	}
	return all
}

// withoutDefaults removes values from an object that a server gives it all the same; false if the
// object is for one of them.
func withoutDefaults(o *sweep.Object, fields []string) bool {
	if len(fields) == 0 || o.Specimen.Object == nil {
		return false
	}
	object := runtime.DeepCopyJSON(o.Specimen.Object)
	for _, field := range fields {
		at, err := values.Parse(field)
		if err != nil || strings.HasPrefix(o.Specimen.Held, field) || !values.Remove(object, at) {
			return false
		}
	}
	o.Specimen.Object = object
	return true
}

// leaves returns the errors that an error joins.
func leaves(err error) (all []error) {
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		return []error{err}
	}
	for _, e := range joined.Unwrap() {
		all = append(all, leaves(e)...)
	}
	return all
}

// complaints are the servers' words about an object.
func complaints(e *precheck.ObjectError) string {
	var all []string
	for _, c := range e.Troubles {
		all = append(all, strings.TrimPrefix(c.Field+": "+c.Text, ": "))
	}
	return strings.Join(all, "; ")
}

// objectOf returns the object of a file, objects/NAME.yaml:3; "" for other files.
func objectOf(at string) string {
	file, _, _ := strings.Cut(at, ":")
	if path.Dir(file) != "objects" {
		return ""
	}
	return strings.TrimSuffix(path.Base(file), path.Ext(file))
}

// objectAt returns the object of the line of play at a place of a scenario's file, default-2.yaml:40.
func objectAt(generated []sweep.Generated, at string) string {
	if name := objectOf(at); name != "" {
		return sweep.ObjectOf(name)
	}
	file, number, _ := strings.Cut(at, ":")
	wanted, err := strconv.Atoi(number)
	i := slices.IndexFunc(generated, func(g sweep.Generated) bool { return path.Base(g.File) == path.Base(file) })
	if err != nil || i < 0 {
		return ""
	}
	s := generated[i].Scenario
	best, name := 0, ""
	for i, l := range s.Play {
		if line := s.LineOf("play[" + strconv.Itoa(i) + "]"); line <= wanted && line > best {
			best = line
			_, name = l.VerbKey()
		}
	}
	return sweep.ObjectOf(name)
}
