package diff_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/source"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/published"
)

var everyVerb = []string{"create", "delete", "get", "list", "patch", "update", "watch"}

// widget is a release with one kind, whose properties and further definitions are JSON.
func widget(properties, definitions string, edits ...func(*published.Release)) published.Release {
	document := fmt.Sprintf(`{"openapi":"3.0.0","info":{"title":"t","version":"v1"},"paths":{},"components":{"schemas":{"com.example.v1.Widget":{
		"type":"object","properties":{%s},"x-kubernetes-group-version-kind":[{"group":"example.com","version":"v1","kind":"Widget"}]}%s}}}`, properties, definitions)
	r := published.Release{
		Documents: map[string][]byte{"apis/example.com/v1": []byte(document)},
		Resources: []published.Resource{{APIVersion: "example.com/v1", Kind: "Widget", Plural: "widgets", Namespaced: true, Verbs: everyVerb}},
	}
	for _, edit := range edits {
		edit(&r)
	}
	return r
}

// differences returns those of two releases in short: kind, path, name, old and new.
func differences(t *testing.T, old, new published.Release) (all []string) {
	t.Helper()
	result, err := diff.Compare(old, new)
	require.NoError(t, err)
	for _, d := range result.Differences {
		all = append(all, strings.Join(strings.Fields(fmt.Sprintf("%s %s %s [%s] [%s]", d.Difference, d.Path, d.Name, d.Old, d.New)), " "))
	}
	return all
}

// TestFields has each difference of a field, and beside it a change that is no difference.
func TestFields(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string
		want     []string
	}{
		"added":              {`"a":{"type":"string"}`, `"a":{"type":"string"},"b":{"type":"array","items":{"type":"string"}}`, []string{"field-added .b [] [list of string]"}},
		"removed":            {`"a":{"type":"string"},"b":{"type":"string"}`, `"a":{"type":"string"}`, []string{"field-removed .b [string] []"}},
		"described":          {`"a":{"type":"string"}`, `"a":{"type":"string","description":"more"}`, nil},
		"below added":        {`"a":{"type":"string"}`, `"a":{"type":"string"},"b":{"type":"object","properties":{"c":{"type":"string"}}}`, []string{"field-added .b [] [object]"}},
		"in a list":          {`"a":{"type":"array","items":{"type":"object","properties":{"b":{"type":"string"}}}}`, `"a":{"type":"array","items":{"type":"object","properties":{"b":{"type":"string"},"c":{"type":"boolean"}}}}`, []string{"field-added .a[].c [] [boolean]"}},
		"type":               {`"a":{"type":"string"}`, `"a":{"type":"integer","format":"int32"}`, []string{"type-changed .a [string] [integer int32]"}},
		"to a list":          {`"a":{"type":"string"}`, `"a":{"type":"array","items":{"type":"string"}}`, []string{"type-changed .a [string] [list]"}},
		"enum grows":         {`"a":{"type":"string","enum":["x"]}`, `"a":{"type":"string","enum":["y","x"]}`, []string{"enum-value-added .a y [] [y]"}},
		"enum shrinks":       {`"a":{"type":"string","enum":["x","y"]}`, `"a":{"type":"string","enum":["y"]}`, []string{"enum-value-removed .a x [x] []"}},
		"no least length":    {`"a":{"type":"string"}`, `"a":{"type":"string","minLength":0}`, nil},
		"least length":       {`"a":{"type":"string"}`, `"a":{"type":"string","minLength":1}`, []string{"rule-tightened .a minLength [] [1]"}},
		"least number":       {`"a":{"type":"integer"}`, `"a":{"type":"integer","minimum":0}`, []string{"rule-tightened .a minimum [] [0]"}},
		"excluded bound":     {`"a":{"type":"integer","maximum":10}`, `"a":{"type":"integer","maximum":10,"exclusiveMaximum":true}`, []string{"rule-tightened .a exclusiveMaximum [] [10]"}},
		"excluded before":    {`"a":{"type":"integer","maximum":10,"exclusiveMaximum":true}`, `"a":{"type":"integer","maximum":9,"exclusiveMaximum":true}`, []string{"rule-tightened .a maximum [10] [9]"}},
		"any entries":        {`"a":{"type":"object","additionalProperties":true}`, `"a":{"type":"object"}`, []string{"type-changed .a [object, any entries] [object]"}},
		"spaces in a rule":   {`"a":{"type":"string","x-kubernetes-validations":[{"rule":"self !=  'x y'"}]}`, `"a":{"type":"string","x-kubernetes-validations":[{"rule":"self!='x y'\n"}]}`, nil},
		"spaces in a text":   {`"a":{"type":"string","x-kubernetes-validations":[{"rule":"self != 'x y'"}]}`, `"a":{"type":"string","x-kubernetes-validations":[{"rule":"self != 'x  y'"}]}`, []string{"rule-changed .a self != 'x y' [self != 'x y'] [self != 'x y']"}},
		"rule of the same":   {`"a":{"type":"string","x-kubernetes-validations":[{"rule":"self.b > 1"}]}`, `"a":{"type":"string","x-kubernetes-validations":[{"rule":"self.b > 2"}]}`, []string{"rule-changed .a self.b > 2 [self.b > 1] [self.b > 2]"}},
		"rule of another":    {`"a":{"type":"string","x-kubernetes-validations":[{"rule":"self.b > 1"}]}`, `"a":{"type":"string","x-kubernetes-validations":[{"rule":"self.c > 1"}]}`, []string{"rule-tightened .a self.c > 1 [] [self.c > 1]", "rule-relaxed .a self.b > 1 [self.b > 1] []"}},
		"enum in order":      {`"a":{"type":"string","enum":["x","y"]}`, `"a":{"type":"string","enum":["y","x"]}`, nil},
		"enum appears":       {`"a":{"type":"string"}`, `"a":{"type":"string","enum":["y","x"]}`, []string{"rule-tightened .a enum [] [x, y]"}},
		"default":            {`"a":{"type":"string","default":"x"}`, `"a":{"type":"string","default":"y"}`, []string{`default-changed .a ["x"] ["y"]`}},
		"default of element": {`"a":{"type":"array","items":{"type":"string","default":""}}`, `"a":{"type":"array","items":{"type":"string"}}`, nil},
		"list type":          {`"a":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"atomic"}`, `"a":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"}`, []string{"list-type-changed .a [atomic] [set]"}},
		"unstated list type": {`"a":{"type":"array","items":{"type":"string"}}`, `"a":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"atomic"}`, nil},
		"keys in order":      {`"a":{"type":"array","items":{"type":"object"},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a","b"]}`, `"a":{"type":"array","items":{"type":"object"},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["b","a"]}`, nil},
		"another key":        {`"a":{"type":"array","items":{"type":"object"},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["b","a"]}`, `"a":{"type":"array","items":{"type":"object"},"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["c","a"]}`, []string{"list-type-changed .a [map by a, b] [map by a, c]"}},
		"list type of bytes": {`"a":{"type":"string","x-kubernetes-list-type":"atomic"}`, `"a":{"type":"string"}`, nil},
		"merge key":          {`"a":{"type":"array","items":{"type":"string"}}`, `"a":{"type":"array","items":{"type":"string"},"x-kubernetes-patch-strategy":"merge","x-kubernetes-patch-merge-key":"n"}`, []string{"patch-strategy-changed .a [] [merge by n]"}},
		"bound lower":        {`"a":{"type":"string","maxLength":5}`, `"a":{"type":"string","maxLength":4}`, []string{"rule-tightened .a maxLength [5] [4]"}},
		"bound higher":       {`"a":{"type":"integer","minimum":1}`, `"a":{"type":"integer","minimum":0}`, []string{"rule-relaxed .a minimum [1] [0]"}},
		"bound kept":         {`"a":{"type":"integer","minimum":1}`, `"a":{"type":"integer","minimum":1.0}`, nil},
		"pattern":            {`"a":{"type":"string","pattern":"^a$"}`, `"a":{"type":"string","pattern":"^b$"}`, []string{"rule-changed .a pattern [^a$] [^b$]"}},
		"rule in CEL":        {`"a":{"type":"string"}`, `"a":{"type":"string","x-kubernetes-validations":[{"rule":"self == oldSelf"}]}`, []string{"rule-tightened .a self == oldSelf [] [self == oldSelf]"}},
		"message of a rule":  {`"a":{"type":"string","x-kubernetes-validations":[{"rule":"r","message":"m"}]}`, `"a":{"type":"string","x-kubernetes-validations":[{"rule":"r","message":"n"}]}`, nil},
		"rule rewritten":     {`"a":{"type":"string","x-kubernetes-validations":[{"rule":"r","message":"m"}]}`, `"a":{"type":"string","x-kubernetes-validations":[{"rule":"s","message":"m"}]}`, []string{"rule-changed .a s [r] [s]"}},
	} {
		assert.Equal(t, c.want, differences(t, widget(c.old, ""), widget(c.new, "")), name)
	}
}

// TestRequired: a field that both releases have becomes required, or optional.
func TestRequired(t *testing.T) {
	spec := func(required string) published.Release {
		return widget(`"spec":{"type":"object","properties":{"a":{"type":"string"}}`+required+`}`, "")
	}
	assert.Equal(t, []string{"required-added .spec.a [optional] [required]"}, differences(t, spec(""), spec(`,"required":["a"]`)))
	assert.Equal(t, []string{"required-removed .spec.a [required] [optional]"}, differences(t, spec(`,"required":["a"]`), spec("")))
	assert.Empty(t, differences(t, spec(`,"required":["a"]`), spec(`,"required":["a"]`)))
	without := widget(`"spec":{"type":"object","properties":{"b":{"type":"string"}}}`, "")
	assert.Equal(t, []string{"field-added .spec.a [] [string]", "field-removed .spec.b [string] []", "required-added .spec.a [] [required]"},
		differences(t, without, spec(`,"required":["a"]`)), "a new field that is required is both")
}

// part is a type that two fields have, one of them in a list.
const twice = `"deep":{"type":"object","properties":{"parts":{"type":"array","items":{"$ref":"#/components/schemas/com.example.v1.Part"}}}},
	"part":{"allOf":[{"$ref":"#/components/schemas/com.example.v1.Part"}],"default":{}}`

func part(properties string) string {
	return `,"com.example.v1.Part":{"type":"object","properties":{` + properties + `}}`
}

// TestOneProperty: a property of a type that several fields have is one difference, whose
// shallowest place represents it.
func TestOneProperty(t *testing.T) {
	old := widget(twice, part(`"a":{"type":"string"}`))
	new := widget(twice, part(`"a":{"type":"string"},"b":{"type":"string"}`))
	result, err := diff.Compare(old, new)
	require.NoError(t, err)
	require.Len(t, result.Differences, 1)
	d := result.Differences[0]
	assert.Equal(t, term.FieldAdded, d.Difference)
	assert.Equal(t, "com.example.v1.Part", d.Type)
	assert.Equal(t, []diff.Place{
		{APIVersion: "example.com/v1", Kind: "Widget", Path: ".part.b"}, {APIVersion: "example.com/v1", Kind: "Widget", Path: ".deep.parts[].b"},
	}, d.Places)
	assert.Equal(t, ".part.b", d.Path)
	assert.True(t, d.Playable)
	assert.NotEmpty(t, result.NotCompared, "hand-written validation is always listed")
}

// TestRenamedType: a type with another name and the same fields is no difference.
func TestRenamedType(t *testing.T) {
	renamed := strings.ReplaceAll(twice+part(`"a":{"type":"string"}`), "v1.Part", "v1.Piece")
	properties, definitions, _ := strings.Cut(renamed, `,"com.example.v1.Piece":{`)
	assert.Empty(t, differences(t, widget(twice, part(`"a":{"type":"string"}`)), widget(properties, `,"com.example.v1.Piece":{`+definitions)))
}

// TestRecursiveType: types that contain themselves are walked once.
func TestRecursiveType(t *testing.T) {
	self := `"next":{"$ref":"#/components/schemas/com.example.v1.Part"}`
	assert.Equal(t, []string{"field-added .part.b [] [string]"},
		differences(t, widget(`"part":{"$ref":"#/components/schemas/com.example.v1.Part"}`, part(self)),
			widget(`"part":{"$ref":"#/components/schemas/com.example.v1.Part"}`, part(self+`,"b":{"type":"string"}`))))
}

// TestUnstored: what is not stored is compared, and not played.
func TestUnstored(t *testing.T) {
	review := func(r *published.Release) { r.Resources[0].Verbs = []string{"create"} }
	result, err := diff.Compare(widget(`"a":{"type":"string"}`, "", review), widget(`"a":{"type":"string"},"b":{"type":"string"}`, "", review))
	require.NoError(t, err)
	require.Len(t, result.Differences, 1)
	assert.False(t, result.Differences[0].Playable)
	assert.Equal(t, "Widget", result.Differences[0].Kind)
}

func TestKinds(t *testing.T) {
	with := func(edit func(*published.Release)) published.Release {
		return widget(`"a":{"type":"string"}`, "", edit)
	}
	more := func(apiVersion, kind string) published.Release {
		return with(func(r *published.Release) {
			r.Resources = append(r.Resources, published.Resource{APIVersion: apiVersion, Kind: kind, Verbs: everyVerb})
		})
	}
	first := func(edit func(*published.Resource)) published.Release {
		return with(func(r *published.Release) {
			r.Preferred = map[string]string{"example.com": "v1"}
			edit(&r.Resources[0])
		})
	}
	plain := first(func(*published.Resource) {})
	for name, c := range map[string]struct {
		old, new published.Release
		want     []string
	}{
		"kind":        {plain, more("example.com/v1", "Gadget"), []string{"kind-added [] [v1]"}},
		"kind gone":   {more("example.com/v1", "Gadget"), plain, []string{"kind-removed [v1] []"}},
		"version":     {plain, more("example.com/v2", "Widget"), []string{"version-added [] [v2]"}},
		"other group": {plain, more("other.com/v1", "Widget"), []string{"kind-added [] [v1]"}},
		"subresource": {plain, first(func(r *published.Resource) { r.Subresources = []string{"status"} }), []string{"subresource-added status [] [status]"}},
		"short names": {plain, first(func(r *published.Resource) { r.ShortNames = []string{"w"} }), []string{"names-changed short names [] [w]"}},
		"singular":    {plain, first(func(r *published.Resource) { r.Singular = "w" }), []string{"names-changed singular [] [w]"}},
		"list kind":   {plain, first(func(r *published.Resource) { r.ListKind = "Widgets" }), []string{"names-changed list kind [] [Widgets]"}},
		"deprecated":  {plain, first(func(r *published.Resource) { r.Deprecated = "use v2" }), []string{"names-changed deprecated [] [use v2]"}},
		"scope":       {plain, first(func(r *published.Resource) { r.Namespaced = false }), []string{"names-changed namespaced [true] [false]"}},
		"columns":     {plain, first(func(r *published.Resource) { r.Columns = []string{"A .a"} }), []string{"printer-columns-changed [] [A .a]"}},
		"scale": {
			first(func(r *published.Resource) { r.Subresources, r.Scale = []string{"scale"}, ".a, .b" }), first(func(r *published.Resource) { r.Subresources, r.Scale = []string{"scale"}, ".c, .b" }),
			[]string{"names-changed scale [.a, .b] [.c, .b]"},
		},
		"metadata": {plain, first(func(r *published.Resource) { r.Metadata = "{}" }), []string{"rule-tightened metadata [] [{}]"}},
		"selector": {plain, first(func(r *published.Resource) { r.Selectable = []string{".a"} }), []string{"field-selector-added .a [] [.a]"}},
		"storage": {
			first(func(r *published.Resource) { r.StorageVersion = "v1" }), first(func(r *published.Resource) { r.StorageVersion = "v2" }),
			[]string{"storage-version-changed [v1] [v2]"},
		},
		"storage unknown": {plain, first(func(r *published.Resource) { r.StorageVersion = "v2" }), nil},
		"conversion": {
			first(func(r *published.Resource) { r.Conversion = "None" }), first(func(r *published.Resource) { r.Conversion = "Webhook" }),
			[]string{"conversion-changed [None] [Webhook]"},
		},
		"one version before": {plain, first(func(r *published.Resource) { r.Conversion = "None" }), nil},
		"same":               {plain, plain, nil},
	} {
		assert.Equal(t, c.want, differences(t, c.old, c.new), name)
	}
}

// TestSubresources: a status that becomes a subresource, or ceases to be one, is played, since clients write
// it, and so is a scale that goes; any other subresource is listed.
func TestSubresources(t *testing.T) {
	plain := widget(`"a":{"type":"string"}`, "", func(*published.Release) {})
	for name, played := range map[string][2]bool{"status": {true, true}, "scale": {false, true}, "exec": {false, false}} {
		with := widget(`"a":{"type":"string"}`, "", func(r *published.Release) { r.Resources[0].Subresources = []string{name} })
		for i, pair := range [][2]published.Release{{plain, with}, {with, plain}} {
			result, err := diff.Compare(pair[0], pair[1])
			require.NoError(t, err)
			require.Len(t, result.Differences, 1)
			assert.Equal(t, played[i], result.Differences[0].Playable, name)
		}
	}
}

// TestSelectorsAndScales: a field by which lists are selected is played, and a scale that writes another field;
// a scale that only reads another one is listed.
func TestSelectorsAndScales(t *testing.T) {
	plain := func(*published.Release) {}
	scale := func(paths string) func(*published.Release) {
		return func(r *published.Release) {
			r.Resources[0].Subresources, r.Resources[0].Scale = []string{"scale"}, paths
		}
	}
	for name, c := range map[string]struct {
		old, new func(*published.Release)
		played   bool
	}{
		"selector":            {func(r *published.Release) { r.Resources[0].Selectable = []string{".a"} }, plain, true},
		"scale of another":    {scale(".a, .b"), scale(".c, .b"), true},
		"scale reads another": {scale(".a, .b"), scale(".a, .c"), false},
		"another short name":  {plain, func(r *published.Release) { r.Resources[0].Plural = "wodgets" }, false},
	} {
		result, err := diff.Compare(widget(`"a":{"type":"string"}`, "", c.old), widget(`"a":{"type":"string"}`, "", c.new))
		require.NoError(t, err)
		require.Len(t, result.Differences, 1, name)
		assert.Equal(t, c.played, result.Differences[0].Playable, name)
	}
}

func facts(t *testing.T, f source.Facts) func(*published.Release) {
	t.Helper()
	text, err := json.Marshal(f)
	require.NoError(t, err)
	return func(r *published.Release) { r.Facts = text }
}

func state(stage string, on bool) source.Gate {
	return source.Gate{GateState: source.GateState{Stage: stage, Default: on}}
}

// TestGates: a gate whose default changed has the fields behind it as places, and fields name
// their gates.
func TestGates(t *testing.T) {
	behind := map[string]map[string]source.Field{"com.example.v1.Widget": {"a": {Tag: source.Tag{Gates: []string{"Shine"}}}, "b": {Tag: source.Tag{Gates: []string{"Shine"}}}}}
	old := widget(`"a":{"type":"string"}`, "", facts(t, source.Facts{Fields: behind, Gates: map[string]source.Gate{"Shine": state("ALPHA", false), "Same": state("BETA", true)}}))
	new := widget(`"a":{"type":"string"},"b":{"type":"string"}`, "", facts(t, source.Facts{Fields: behind, Gates: map[string]source.Gate{"Shine": state("BETA", true), "Same": state("BETA", true)}}))
	result, err := diff.Compare(old, new)
	require.NoError(t, err)
	require.Len(t, result.Differences, 2)
	field, gate := result.Differences[0], result.Differences[1]
	shine := diff.Gate{Name: "Shine", Source: term.FromTag, Old: &diff.GateState{Stage: "ALPHA"}, New: &diff.GateState{Stage: "BETA", Default: true}}
	assert.Equal(t, []diff.Gate{shine}, field.Gates)
	assert.Equal(t, term.GateChanged, gate.Difference)
	assert.True(t, gate.Playable)
	assert.Equal(t, []diff.Gate{shine}, gate.Gates)
	assert.Equal(t, []diff.Place{{APIVersion: "example.com/v1", Kind: "Widget", Path: ".a"}, {APIVersion: "example.com/v1", Kind: "Widget", Path: ".b"}}, gate.Places)
}

// TestGateOfAPart: a field is not behind the gate of a member, or of a value, that its description
// names; it is a place where the gate can be played. A new value is behind its gate.
func TestGateOfAPart(t *testing.T) {
	compare := func(description string) (field, gate diff.Difference) {
		of := func(enum, stage string, on bool) published.Release {
			return widget(`"a":{"type":"string","enum":`+enum+`,"description":"`+description+`"}`, "", facts(t, source.Facts{Gates: map[string]source.Gate{"ShineMore": state(stage, on)}}))
		}
		result, err := diff.Compare(of(`["Dull"]`, "ALPHA", false), of(`["Dull","Bright"]`, "BETA", true))
		require.NoError(t, err)
		require.Len(t, result.Differences, 2)
		return result.Differences[0], result.Differences[1]
	}
	for description, isBehind := range map[string]bool{
		"This field requires the ShineMore feature gate.":          true,
		"Bright requires the ShineMore feature gate.":              true,
		"Dull requires the ShineMore feature gate.":                false,
		"Using the part of a requires the ShineMore feature gate.": false,
	} {
		field, gate := compare(description)
		assert.Equal(t, term.EnumValueAdded, field.Difference)
		assert.Equal(t, isBehind, len(field.Gates) > 0, description)
		assert.Equal(t, []diff.Place{{APIVersion: "example.com/v1", Kind: "Widget", Path: ".a"}}, gate.Places[:1], description)
	}
}

// TestGateOfACustomResource: a gate that the description of a custom resource's field or value names guards nothing:
// an API server has gates for its own types.
func TestGateOfACustomResource(t *testing.T) {
	const described = `"description":"This is an alpha field and requires enabling the Shine feature gate. Bright requires the Gloss feature gate."`
	for _, custom := range []bool{false, true} {
		defined := func(r *published.Release) { r.Resources[0].Custom = custom }
		result, err := diff.Compare(widget(`"a":{"type":"string","enum":["Dull"]}`, "", defined), widget(`"a":{"type":"string","enum":["Dull","Bright"],`+described+`},"b":{"type":"string",`+described+`}`, "", defined))
		require.NoError(t, err)
		require.Len(t, result.Differences, 2)
		for _, d := range result.Differences {
			assert.Equal(t, custom, len(d.Gates) == 0, d.Difference)
		}
	}
}

// TestGatesOfOneSource: the source names the gates of all components and a server its own, so a
// release with source and one without are compared by what their servers report.
func TestGatesOfOneSource(t *testing.T) {
	reports := func(r *published.Release) {
		r.Features = map[string]published.Feature{"Shine": {Stage: "BETA", On: true}}
	}
	of := facts(t, source.Facts{Gates: map[string]source.Gate{"Shine": state("BETA", true), "OfAnother": state("BETA", true)}})
	assert.Empty(t, differences(t, widget(`"a":{"type":"string"}`, "", reports), widget(`"a":{"type":"string"}`, "", reports, of)))
}

// TestLockedGate: a gate whose lock alone changed is listed, and not played.
func TestLockedGate(t *testing.T) {
	behind := map[string]map[string]source.Field{"com.example.v1.Widget": {"a": {Tag: source.Tag{Gates: []string{"Shine"}}}}}
	locked := state("GA", true)
	locked.Locked = true
	result, err := diff.Compare(
		widget(`"a":{"type":"string"}`, "", facts(t, source.Facts{Fields: behind, Gates: map[string]source.Gate{"Shine": state("BETA", true)}})),
		widget(`"a":{"type":"string"}`, "", facts(t, source.Facts{Fields: behind, Gates: map[string]source.Gate{"Shine": locked}})))
	require.NoError(t, err)
	require.Len(t, result.Differences, 1)
	assert.False(t, result.Differences[0].Playable)
}

// TestSourceRules: a rule that a release begins to enforce is a difference; one that neither
// enforces is counted among what was not compared.
func TestSourceRules(t *testing.T) {
	rules := func(of ...source.Rule) func(*published.Release) {
		return facts(t, source.Facts{Fields: map[string]map[string]source.Field{"com.example.v1.Widget": {"a": {Rules: of}}}, Gates: map[string]source.Gate{"DeclarativeValidationBeta": state("BETA", true)}})
	}
	at := func(stage, value string) source.Rule {
		return source.Rule{Name: "maxItems", Value: value, Stage: stage, Text: "+k8s:" + stage + "maxItems=" + value}
	}
	for name, c := range map[string]struct {
		old, new func(*published.Release)
		want     []string
	}{
		"enforced":     {rules(at("ALPHA", "3")), rules(at("", "3")), []string{"rule-tightened .a k8s:maxItems [+k8s:ALPHAmaxItems=3 # not enforced by default] [+k8s:maxItems=3]"}},
		"gone":         {rules(at("", "3")), rules(), []string{"rule-relaxed .a k8s:maxItems [+k8s:maxItems=3] []"}},
		"other value":  {rules(at("", "3")), rules(at("", "4")), []string{"rule-changed .a k8s:maxItems [+k8s:maxItems=3] [+k8s:maxItems=4]"}},
		"not enforced": {rules(), rules(at("ALPHA", "3")), nil},
		"permissive":   {rules(), rules(source.Rule{Name: "optional"}), nil},
		"same":         {rules(at("", "3")), rules(at("", "3")), nil},
	} {
		assert.Equal(t, c.want, differences(t, widget(`"a":{"type":"string"}`, "", c.old), widget(`"a":{"type":"string"}`, "", c.new)), name)
	}
	result, err := diff.Compare(widget(`"a":{"type":"string"}`, "", rules()), widget(`"a":{"type":"string"}`, "", rules(at("ALPHA", "3"))))
	require.NoError(t, err)
	assert.Len(t, result.NotCompared, 2)
}

// TestSourceOfServers: what the source says of protobuf, plug-ins, roles and selectors.
func TestSourceOfServers(t *testing.T) {
	number := func(field, n string) map[string]map[string]source.Field {
		return map[string]map[string]source.Field{"com.example.v1.Widget": {field: {Protobuf: source.Protobuf{Number: n, Wire: "bytes"}}}}
	}
	for name, c := range map[string]struct {
		old, new source.Facts
		field    string // that the new release has beside a
		want     []string
	}{
		"number":   {source.Facts{Fields: number("a", "1")}, source.Facts{Fields: number("a", "2")}, "", []string{"protobuf-tag-changed .a [1 bytes] [2 bytes]"}},
		"taken":    {source.Facts{Fields: number("gone", "1")}, source.Facts{Fields: number("b", "1")}, `,"b":{"type":"string"}`, []string{"field-added .b [] [string]", "protobuf-tag-changed .b number 1 [gone] [b]"}},
		"free":     {source.Facts{Fields: number("a", "1")}, source.Facts{Fields: number("b", "2")}, `,"b":{"type":"string"}`, []string{"field-added .b [] [string]"}},
		"plug-in":  {source.Facts{}, source.Facts{AdmissionPlugins: []string{"P"}}, "", []string{"admission-plugin-added P [] [P]"}},
		"role":     {source.Facts{BootstrapRoles: map[string]string{"r": "x\ny"}}, source.Facts{BootstrapRoles: map[string]string{"r": "x\nz"}}, "", []string{"role-changed r [y] [z]"}},
		"selector": {source.Facts{}, source.Facts{FieldSelectors: map[string][]string{"example.com/v1/Widget": {"spec.a"}}}, "", []string{"field-selector-added spec.a [] [spec.a]"}},
	} {
		assert.Equal(t, c.want, differences(t, widget(`"a":{"type":"string"}`, "", facts(t, c.old)), widget(`"a":{"type":"string"}`+c.field, "", facts(t, c.new))), name)
	}
}

// TestBroken: a document that cannot be read is named.
func TestBroken(t *testing.T) {
	broken := widget(`"a":{"type":"string"}`, "")
	broken.Documents["apis/example.com/v1"] = []byte(`{"paths":{}}`)
	_, err := diff.Compare(broken, widget("", ""))
	assert.ErrorContains(t, err, "apis/example.com/v1")
}

// TestFilter chooses differences by kind, with the group or without, and by what differs.
func TestFilter(t *testing.T) {
	r := diff.Result{Differences: []diff.Difference{
		{Difference: term.FieldAdded, Group: "apps.example.com", Kind: "Widget", Path: ".a"},
		{Difference: term.GateAdded, Name: "Shine", Places: []diff.Place{{APIVersion: "apps.example.com/v1", Kind: "Widget"}}},
		{Difference: term.FieldAdded, Kind: "Gadget", Path: ".b"},
	}}
	for _, c := range []struct {
		filter diff.Filter
		want   int
	}{
		{diff.Filter{}, 3},
		{diff.Filter{Kinds: []string{"Widget"}}, 2},
		{diff.Filter{Kinds: []string{"Widget.apps.example.com"}, Only: []term.DifferenceKind{term.FieldAdded}}, 1},
		{diff.Filter{Kinds: []string{"Widget.other.example.com"}}, 0},
		{diff.Filter{Only: []term.DifferenceKind{term.FieldAdded}}, 2},
		{diff.Filter{Paths: []string{".b"}}, 1},
		{diff.Filter{Paths: []string{".a"}, Kinds: []string{"Widget"}}, 1},
		{diff.Filter{Paths: []string{".a"}, Kinds: []string{"Gadget"}}, 0},
		{diff.Filter{Paths: []string{".bb"}}, 0},
	} {
		assert.Len(t, c.filter.Apply(r).Differences, c.want, "%v", c.filter)
		assert.Equal(t, c.want == 0, c.filter.Check(r) != nil, "%v", c.filter)
	}
	of := diff.Filter{Kinds: []string{"Gadget"}}.Apply(diff.Result{Differences: []diff.Difference{{
		Difference: term.FieldAdded, Group: "apps.example.com", Version: "v1", Kind: "Widget", Path: ".a",
		Places: []diff.Place{{APIVersion: "apps.example.com/v1", Kind: "Widget", Path: ".a"}, {APIVersion: "v2", Kind: "Gadget", Path: ".b.a"}},
	}}}).Differences[0]
	assert.Equal(t, diff.Difference{Difference: term.FieldAdded, Version: "v2", Kind: "Gadget", Path: ".b.a",
		Places: []diff.Place{{APIVersion: "v2", Kind: "Gadget", Path: ".b.a"}}}, of, "only the places of the kind")
}

// TestIsWords: further names, warnings and columns change nothing that is stored or served; the scope and a scale do.
func TestIsWords(t *testing.T) {
	for name, want := range map[string]bool{"short names": true, "categories": true, "singular": true, "list kind": true, "deprecated": true, "plural": false, "namespaced": false, "scale": false} {
		assert.Equal(t, want, diff.Difference{Difference: term.NamesChanged, Name: name}.IsWords(), name)
	}
	assert.True(t, diff.Difference{Difference: term.ColumnsChanged}.IsWords())
	assert.False(t, diff.Difference{Difference: term.FieldAdded, Name: "deprecated"}.IsWords())
}
