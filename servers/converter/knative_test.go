package converter

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// knativeModule returns the files of a module whose kind Widget converts as Knative's do: v1beta1 knows v1, and v1 nothing. v1 is of
// a kind Lone too, which has no other version.
func knativeModule() map[string]string {
	const header = "\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\n\t\"knative.dev/pkg/apis\"\n"
	const lowest = "v1beta1\n\nimport (\n\t\"context\"\n\n\t\"example.dev/kn/api/v1\"\n\t\"knative.dev/pkg/apis\"\n)\n\nvar AddToScheme = 1\n\ntype Widget struct{}\n\n" +
		"func (w *Widget) ConvertTo(ctx context.Context, to apis.Convertible) error {\n\tswitch to.(type) {\n\tcase *v1.Widget:\n\t}\n\treturn nil\n}\n\n" +
		"func (w *Widget) ConvertFrom(ctx context.Context, from apis.Convertible) error { return nil }\n"
	return map[string]string{
		"go.mod":                    "module example.dev/kn\n\ngo 1.24\n\nrequire knative.dev/pkg v0.0.0-20250415155312-ed3e2158b883\n",
		"api/v2/types.go":           "package v2\n",
		"internal/v1/types.go":      "package v1\n",
		"config/v1/hub.go":          "package v1\n",
		"api/other/half.go":         "package other\n",
		"api/v1/doc.go":             "// +groupName=kn.example.dev\npackage v1\n\nvar AddToScheme = 1\n",
		"api/v1/conversion.go":      "package v1" + header + ")\n\ntype Widget struct{}\n\nfunc (*Widget) ConvertTo(ctx context.Context, to apis.Convertible) error { return fmt.Errorf(\"v1 is the highest known version, got %T\", to) }\n\nfunc (*Widget) ConvertFrom(ctx context.Context, from apis.Convertible) error { return nil }\n\ntype Lone struct{}\n\nfunc (*Lone) ConvertTo(ctx context.Context, to apis.Convertible) error { return nil }\n\nfunc (*Lone) ConvertFrom(ctx context.Context, from apis.Convertible) error { return nil }\n",
		"api/v1beta1/widget.go":     "// +groupName=kn.example.dev\npackage " + lowest,
		"internal/v1/conversion.go": "package v1\n",
	}
}

// literal is a main package that names how Widget converts.
const literal = `package main

import (
	"example.dev/kn/api/v1"
	"example.dev/kn/api/v1beta1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"knative.dev/pkg/webhook/resourcesemantics/conversion"
)

func kinds() any {
	lowest, v1_ := v1beta1.SchemeGroupVersion.Version, v1.SchemeGroupVersion.Version
	return map[schema.GroupKind]conversion.GroupKindConversion{
		v1.Kind("Widget"): {
			HubVersion: HUB,
			Zygotes:    map[string]conversion.ConvertibleObject{lowest: &v1beta1.Widget{}, v1_: &v1.Widget{}},
		},
	}
}
`

// TestKnative: the hub is what the module's program says, however it names the version; without one it is the version
// whose methods know the others. A kind with one version is left out.
func TestKnative(t *testing.T) {
	low, high := Type{"example.dev/kn/api/v1beta1", "Widget"}, Type{"example.dev/kn/api/v1", "Widget"}
	for hub, want := range map[string]Type{"": low, "lowest": low, "v1_": high, `"v1beta1"`: low, "v1.SchemeGroupVersion.Version": high} {
		files := knativeModule()
		if hub != "" {
			files["cmd/webhook/main.go"] = replace(literal, "HUB", hub)
		}
		found, err := Find(writeModule(t, files))
		require.NoError(t, err)
		assert.Equal(t, []Kind{{want, []Type{high, low}}}, found.Knative, hub)
		assert.Empty(t, found.Packages)
		assert.Equal(t, []string{"Widget.kn.example.dev"}, found.Kinds())
		main, err := generate(found, nil)
		require.NoError(t, err)
		assert.Contains(t, main, "conversion.NewConversionController(")
	}
}

// TestKnativeParts: types that convert as kinds do, and that no scheme has, are parts of kinds, and left out beside kinds.
func TestKnativeParts(t *testing.T) {
	files := knativeModule()
	for _, version := range []string{"v1", "v1beta1"} {
		files["api/duck/"+version+"/part.go"] = replace(replace(files["api/"+map[string]string{"v1": "v1/conversion.go", "v1beta1": "v1beta1/widget.go"}[version]], "kn/api/v1", "kn/api/duck/v1"), "var AddToScheme = 1", "")
		files["api/duck/"+version+"/part.go"] = replace(files["api/duck/"+version+"/part.go"], "// +groupName=kn.example.dev\n", "")
	}
	found, err := Find(writeModule(t, files))
	require.NoError(t, err)
	require.Len(t, found.Knative, 1)
	assert.Equal(t, "example.dev/kn/api/v1beta1", found.Knative[0].Hub.Package)
}

// TestKnativeUndecided: two versions that know each other, a hub that the source does not show, and types that nothing adds to
// a scheme are errors; so is a module that converts in two ways.
func TestKnativeUndecided(t *testing.T) {
	both := knativeModule()
	both["api/v1/conversion.go"] = replace(replace(both["api/v1beta1/widget.go"], "v1beta1", "v1"), "example.dev/kn/api/v1\"", "example.dev/kn/api/v1beta1\"")
	both["api/v1/conversion.go"] = replace(both["api/v1/conversion.go"], "*v1.Widget", "*v1beta1.Widget")
	both["api/v1/doc.go"] = "// +groupName=kn.example.dev\npackage v1\n"
	hidden := knativeModule()
	hidden["cmd/webhook/main.go"] = replace(literal, "HUB", "hubOf(1)")
	bare := knativeModule()
	bare["api/v1/doc.go"] = "// +groupName=kn.example.dev\npackage v1\n"
	mixed := knativeModule()
	for _, name := range []string{"api/v2/types.go", "internal/v1/types.go", "internal/v1/conversion.go"} {
		delete(mixed, name)
	}
	_, err := Find(writeModule(t, mixed))
	require.NoError(t, err, "types that no program names are left to controller-runtime's")
	mixed["cmd/webhook/main.go"] = replace(literal, "HUB", "lowest")
	for want, files := range map[string]map[string]string{
		"kind Widget of kn.example.dev: nothing says":   both,
		"example.dev/kn/cmd/webhook/main.go:13":         hidden,
		"example.dev/kn/api/v1 has neither AddToScheme": bare,
		"one program serves one of them":                mixed,
	} {
		_, err := Find(writeModule(t, files))
		assert.ErrorContains(t, err, want)
	}
}
