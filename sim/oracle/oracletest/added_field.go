package oracletest

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Specs of the widget of NewAddedField: what both releases publish, and with the added field.
const (
	NarrowSpec = `{"colour": "Red", "length": 3}`
	WideSpec   = `{"colour": "Red", "length": 3, "breadth": 5}`
)

// extent computes .status.extent: the length, times the breadth.
func extent(t testing.TB) func(Object) {
	return func(o Object) {
		measure := Number(t, o, ".spec.length")
		if Has(t, o, ".spec.breadth") {
			measure *= Number(t, o, ".spec.breadth")
		}
		With(".status.extent", measure)(t, o)
	}
}

// NewAddedField begins a run in which the new release adds .spec.breadth. It publishes the default,
// unless that is nil. Both releases compute .status.extent.
func NewAddedField(t *testing.T, fallback any, m Behaviour) *Run {
	run := NewRun(t)
	both := Object{"spec.properties.length": Integer(nil), "status.properties.extent": Integer(nil)}
	run.Publish(term.Old, both)
	both["spec.properties.breadth"] = Integer(fallback)
	run.Publish(term.New, both)
	run.Behave(term.Old, Behaviour{Compute: extent(t)})
	m.Compute = extent(t)
	run.Behave(term.New, m)
	return run
}

// StoreByTags stores members of .spec under tags, and reads them back from there.
func StoreByTags(t testing.TB, of map[string]string) Behaviour {
	move := func(o Object, from, to string) {
		if v, ok := path.Get(o, Path(t, ".spec."+from)); ok {
			With(".spec."+from, nil)(t, o)
			With(".spec."+to, v)(t, o)
		}
	}
	return Behaviour{
		Default: Fill(t, "breadth", 1),
		Decode: func(o Object) {
			for tag, name := range of {
				move(o, tag, name)
			}
		},
		Encode: func(o Object) {
			for tag, name := range of {
				move(o, name, tag)
			}
		},
	}
}

// NewTags begins a run in which the new release adds .spec.tilt, and stores members under these
// tags.
func NewTags(t *testing.T, of map[string]string) *Run {
	run := NewRun(t)
	run.Publish(term.Old, Object{"spec.properties.breadth": Integer(1)})
	run.Publish(term.New, Object{"spec.properties.breadth": Integer(1), "spec.properties.tilt": Integer(nil)})
	run.Behave(term.Old, StoreByTags(t, map[string]string{"t3": "breadth"}))
	run.Behave(term.New, StoreByTags(t, of))
	return run
}
