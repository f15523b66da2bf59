package apiserver_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

const onTuesday = "--feature-gates=FrobberRestartPolicyOnTuesday="

// policyAnswers returns the status codes of a create with OnlyOnTuesday, an update that sets
// it, and a change of the label and of the height of an object that has it.
func policyAnswers(t *testing.T, s, allowing *server, name string) string {
	created := s.do("POST", v6, body(name+"-new", `{"height":1,"restartPolicy":"OnlyOnTuesday"}`)).code
	allowing.create(name+"-never", `{"height":1,"restartPolicy":"Never"}`)
	set := s.patch(v6+"/"+name+"-never", mergePatch, `{"spec":{"restartPolicy":"OnlyOnTuesday"}}`).code
	allowing.create(name, `{"height":1,"restartPolicy":"OnlyOnTuesday"}`)
	label := s.patch(v6+"/"+name, mergePatch, `{"metadata":{"labels":{"a":"b"}}}`).code
	height := s.patch(v6+"/"+name, mergePatch, `{"spec":{"height":2}}`).code
	kept := at(allowing.do("GET", v6+"/"+name, "").json(t, 200), "spec", "restartPolicy")
	return fmt.Sprintln(created, set, label, height, kept)
}

// TestSmokeNewEnumValue: which releases allow the value, tolerate it, or refuse updates of
// objects with it.
func TestFrobberNewEnumValue(t *testing.T) {
	const (
		refused   = "422 422 422 422 OnlyOnTuesday\n"
		tolerated = "422 422 200 200 OnlyOnTuesday\n"
		allowed   = "201 200 200 200 OnlyOnTuesday\n"
	)
	k := newKernel(t)
	allowing := k.start(t, "1.10")
	for name, c := range map[string]struct {
		release, gate, want string
	}{
		"before":         {"1.8", "", refused},
		"step-1":         {"1.9", "", tolerated},
		"step-1-on":      {"1.9", "true", allowed},
		"at-once":        {"1.9+at-once", "", allowed},
		"step-1-chokes":  {"1.9+chokes", "", refused},
		"step-2":         {"1.10", "", allowed},
		"step-2-off":     {"1.10", "false", tolerated},
		"step-2-chokes":  {"1.10+chokes", "false", refused},
		"chokes-not":     {"1.10+chokes", "", allowed},
		"step-2-resets":  {"1.10+resets", "false", "422 200 200 200 Always\n"},
		"retired-others": {"1.11", "", allowed},
	} {
		var flags []string
		if c.gate != "" {
			flags = append(flags, onTuesday+c.gate)
		}
		assert.Equal(t, c.want, policyAnswers(t, k.start(t, c.release, flags...), allowing, name), name)
	}
}

// TestSmokeRetiredValue: the deprecated value is accepted, with a warning.
func TestFrobberRetiredValue(t *testing.T) {
	k := newKernel(t)
	const sometimes = `{"height":1,"restartPolicy":"Sometimes"}`
	warning := []string{`299 - "spec.restartPolicy: \"Sometimes\" is deprecated since 1.11: use \"Always\" or \"Never\""`}
	before, after := k.start(t, "1.10"), k.start(t, "1.11")
	before.create("a", sometimes)
	assert.Empty(t, before.do("POST", v6, body("b", sometimes)).header.Values("Warning"))
	created := after.do("POST", v6, body("c", sometimes))
	assert.Equal(t, "Sometimes", at(created.json(t, 201), "spec", "restartPolicy"))
	assert.Equal(t, warning, created.header.Values("Warning"))
	touched := after.patch(v6+"/a", mergePatch, `{"spec":{"height":2}}`)
	touched.json(t, 200)
	assert.Equal(t, warning, touched.header.Values("Warning"))
	assert.Empty(t, after.do("POST", v6, body("d", `{"height":1}`)).header.Values("Warning"), "no warning without the value")

	removed := k.start(t, "1.11+removed")
	assert.Equal(t, 422, removed.do("POST", v6, body("e", sometimes)).code)
	assert.Equal(t, 422, removed.patch(v6+"/a", mergePatch, `{"spec":{"height":3}}`).code)
	assert.Equal(t, 200, removed.patch(v6+"/d", mergePatch, `{"spec":{"height":3}}`).code)
	replaced := k.start(t, "1.11+replaced")
	assert.Equal(t, "Always", at(replaced.do("GET", v6+"/a", "").json(t, 200), "spec", "restartPolicy"))
}
