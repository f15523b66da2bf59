package plan

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// named is a plan of one copy for each way in which objects come by their names.
func named(scenario string) *Plan {
	meta := func(m map[string]any) Manifest { return Manifest{Body: map[string]any{"metadata": m}} }
	return &Plan{
		Scenario: scenario, Namespace: "n",
		Manifests: map[string]Manifest{
			"bare": {}, "pattern": meta(map[string]any{"name": "a.$(copy.name).b"}), "address": meta(map[string]any{"name": "$(copy.ip)"}),
			"generated": meta(map[string]any{"generateName": "any-"}), "both": meta(map[string]any{"generateName": "any-", "name": "any-x7k2q"}),
		},
		Copies: []Copy{
			{Name: "o-1", Manifest: "bare"}, {Name: "p-1", Manifest: "pattern"}, {Name: "i-1", Manifest: "address"},
			{Name: "g-1", Manifest: "generated"}, {Name: "b-1", Manifest: "both"}, {Name: "g-12", Manifest: "generated"},
		},
	}
}

func TestObjectName(t *testing.T) {
	p := named("s")
	var inside, outside []string
	for _, c := range p.Copies {
		inside, outside = append(inside, p.ObjectName(c, true)), append(outside, p.ObjectName(c, false))
	}
	assert.Equal(t, []string{"o-1", "a.p-1.b", inside[2], "g-1-", "b-1", "g-12-"}, inside)
	assert.Equal(t, []string{"s-o-1", "a.s-p-1.b", inside[2], "s-g-1-", "s-b-1", "s-g-12-"}, outside)
	address, err := netip.ParseAddr(inside[2])
	require.NoError(t, err)
	assert.True(t, netip.MustParsePrefix("2001:db8::/32").Contains(address))
	assert.Equal(t, address.String(), inside[2], "servers take no other spelling")
	assert.NotEqual(t, inside[2], named("other").ObjectName(p.Copies[2], false), "two scenarios share objects without a namespace")

	long := named(strings.Repeat("s", 40))
	name := long.ObjectName(Copy{Name: "generated-bystander-001", Manifest: "generated"}, false)
	assert.LessOrEqual(t, len(name)+generatedLetters, maxName, "or a server cuts it")
	assert.True(t, strings.HasSuffix(name, "-generated-bystander-001-"), name)
}

func TestNamed(t *testing.T) {
	p := named("s")
	for object, copy := range map[string]string{
		"o-1": "o-1", "a.p-1.b": "p-1", "g-1-abcde": "g-1", "g-12-abcde": "g-12", p.ObjectName(p.Copies[2], true): "i-1",
		"o-1-abcde": "", "g-1-": "", "g-1": "", "g-1-abcdef": "", "s-g-1-abcde": "", "": "",
	} {
		found, is := Named(p.Names(true), object)
		assert.Equal(t, copy != "", is, object)
		if is {
			assert.Equal(t, copy, found, object)
		}
	}
}

func TestFill(t *testing.T) {
	p := named("s")
	was := map[string]any{"$(copy.name)": []any{"$(copy.namespace)/$(copy.name)", "$(HOME)", true, nil}, "n": int64(1)}
	assert.Equal(t, map[string]any{"s-o-1": []any{"n/s-o-1", "$(HOME)", true, nil}, "n": int64(1)}, p.Fill(was, p.Copies[0], false))
	assert.Contains(t, was, "$(copy.name)", "the manifest serves the next copy too")
}
