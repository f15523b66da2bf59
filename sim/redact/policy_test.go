package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/redact"
)

// marked is the policy of a scenario that marks paths of a Gadget.
func marked() redact.Policy {
	return redact.For(map[string][]string{"Gadget": {".spec.token", `.spec.users[name="x"].pin`, ".spec.keys", `.metadata.annotations["a.dev/key"]`}})
}

func TestAMarkedPathIsHiddenInEveryForm(t *testing.T) {
	for name, c := range map[string]struct{ body, stays string }{
		"object":        {`{"kind":"Gadget","spec":{"token":"hunter2","size":7},"metadata":{"labels":{"token":"shown"}}}`, `"size":7`},
		"map below":     {`{"kind":"Gadget","spec":{"token":{"a":["hunter2"]},"sizes":["s"]}}`, `"sizes":["s"]`},
		"in any list":   {`{"kind":"Gadget","spec":{"users":[{"name":"bob","pin":"hunter2"}]}}`, `"name":"bob"`},
		"annotation":    {`{"kind":"Gadget","metadata":{"annotations":{"a.dev/key":"hunter2","b":"c"}}}`, `"b":"c"`},
		"last applied":  {`{"kind":"Gadget","metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"hunter2"}}}`, `"kind":"Gadget"`},
		"list":          {`{"kind":"GadgetList","items":[{"spec":{"token":"hunter2","size":7}}]}`, `"size":7`},
		"merge patch":   {`{"spec":{"token":"hunter2","size":null}}`, `"size":null`},
		"directive":     {`{"spec":{"$deleteFromPrimitiveList/keys":["hunter2"],"$setElementOrder/keys":["hunter2"],"$patch":"merge"}}`, `"$patch":"merge"`},
		"json patch":    {`[{"op":"add","path":"/spec/users/0/pin","value":"hunter2"},{"op":"add","path":"/spec/size","value":7}]`, `"value":7`},
		"patched end":   {`[{"op":"add","path":"/spec/users/-","value":{"name":"bob","pin":"hunter2"}}]`, `"name":"bob"`},
		"another kind":  {`{"kind":"Secret","data":{"p":"aHVudGVyMg=="},"spec":{"token":"hunter2"}}`, `"kind":"Secret"`},
		"managedFields": {`{"kind":"Gadget","metadata":{"managedFields":[{"manager":"m","fieldsV1":{"f:spec":{"f:keys":{"v:\"hunter2\"":{}},"f:size":{}}}}]}}`, `"f:size":{}`},
		"plain string":  {`"hunter2"`, `sha256:`},
	} {
		t.Run(name, func(t *testing.T) {
			got := encode(t, marked().Body("Gadget", decode(t, c.body), salt))
			for _, s := range secrets {
				assert.NotContains(t, got, s)
			}
			assert.Contains(t, got, c.stays)
		})
	}
}

// TestAnswersInOtherForms: short values and parts of values, which no search in texts
// finds, are in no form of an answer; what is beside them stays.
func TestAnswersInOtherForms(t *testing.T) {
	for name, c := range map[string]struct{ body, stays string }{
		"Status":        {`{"kind":"Status","message":"abc: 719","reason":"Invalid","details":{"name":"g","causes":[{"field":"spec.pin","message":"Invalid value: 719"}]}}`, `"field":"spec.pin"`},
		"conflict":      {`{"kind":"Status","details":{"causes":[{"field":".spec.keys[=\"abc\"]","reason":"FieldManagerConflict"}]}}`, `"reason":"FieldManagerConflict"`},
		"no path":       {`{"kind":"Status","code":409,"details":{"causes":[{"field":"keys=\"abc\""}]}}`, `"code":409`},
		"odd details":   {`{"kind":"Status","code":409,"details":["abc",719]}`, `"code":409`},
		"Table":         {`{"kind":"Table","rows":[{"cells":["abc",719],"object":{"kind":"Gadget","metadata":{"name":"g"},"spec":{"token":"abc","size":7}}}]}`, `"size":7`},
		"event":         {`{"type":"ADDED","object":{"kind":"Gadget","spec":{"token":"abc","pin":719,"size":7}}}`, `"size":7`},
		"ERROR":         {`{"type":"ERROR","object":{"kind":"Status","code":410,"message":"abc 719"}}`, `"code":410`},
		"unknown":       {`{"apiVersion":"v9","kind":"Digest","lines":["abc",719]}`, `"apiVersion":"v9"`},
		"marked object": {`{"kind":"Gadget","spec":{"token":"abc","pin":719,"size":7}}`, `"size":7`},
	} {
		t.Run(name, func(t *testing.T) {
			p := redact.For(map[string][]string{"Gadget": {".spec.token", ".spec.pin", ".spec.keys"}})
			got := encode(t, p.Body("Gadget", decode(t, c.body), salt))
			assert.NotRegexp(t, `\babc\b|\b719\b`, got)
			assert.Contains(t, got, c.stays)
			open := encode(t, p.Body("Widget", decode(t, strings.ReplaceAll(c.body, "Gadget", "Widget")), salt))
			assert.Regexp(t, `\babc\b|\b719\b`, open, "nothing marks it")
		})
	}
}

// TestWhatIsNotMarkedIsShown: places similar to each mark.
func TestWhatIsNotMarkedIsShown(t *testing.T) {
	for _, c := range [][2]string{
		{"Gadget", ".spec.tokens"}, {"Gadget", ".status.token"}, {"Gadget", ".spec"}, {"Gadget", `.spec.users[name="x"].name`},
		{"Gadget", `.metadata.annotations["a.dev/other"]`}, {"Gadget", ".data"}, {"Widget", ".spec.token"},
	} {
		assert.Equal(t, "hunter2", marked().Value(c[0], c[1], "hunter2", salt), "%v", c)
	}
	body := `{"kind":"Widget","spec":{"token":"hunter2"}}`
	assert.Equal(t, body, encode(t, marked().Body("Widget", decode(t, body), salt)))
	assert.Empty(t, marked().Values("Widget", decode(t, body)))
	assert.True(t, marked().Covers("Gadget"))
	assert.False(t, marked().Covers("Widget"))
}

func TestMarkedPathsThatHoldTheValueThemselves(t *testing.T) {
	p := redact.For(map[string][]string{"Gadget": {".spec.keys", ".spec.users.name"}})
	for path, stays := range map[string]string{
		`.spec.keys[="hunter2"]`:             `.spec.keys[="sha256:`,
		`.spec.users[name="hunter2"].role`:   `].role`,
		`.spec.users[id=7,name="hunter2"].x`: `.spec.users[id=7,name="sha256:`,
	} {
		got := p.Path("Gadget", path, salt)
		assert.NotContains(t, got, "hunter2")
		assert.Contains(t, got, stays)
		assert.Equal(t, got, p.Path("Gadget", got, salt), "masked twice")
		assert.NotContains(t, p.Path("Gadget", path, ""), "hunter2")
	}
	for _, shown := range []string{`.spec.sets[="hunter2"]`, `.spec.groups[name="hunter2"]`, "no path"} {
		assert.Equal(t, shown, p.Path("Gadget", shown, salt))
	}
	assert.Contains(t, p.Path("Widget", `.spec.keys[="hunter2"]`, salt), "hunter2")
}

func TestNumbersAreScrubbedAndWordsOfJSONStay(t *testing.T) {
	values := redact.For(map[string][]string{"Gadget": {".spec"}}).Values("Gadget", decode(t, `{"spec":{"pin":471100,"on":true}}`))
	got := redact.Scrubber(values).Replace("true: 471100 is no pin")
	assert.Equal(t, "true: "+redact.Withheld+" is no pin", got)
	assert.False(t, strings.Contains(strings.Join(values, " "), "true"))
}
