package converter

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

func replace(text, old, new string) string { return strings.ReplaceAll(text, old, new) }

// hubSpoke returns a module whose only conversion is made by a declaration.
func hubSpoke(declaration string) map[string]string {
	return map[string]string{
		"go.mod":                    "module example.dev/op\n\ngo 1.24\n\nrequire sigs.k8s.io/controller-runtime v0.23.3\n",
		"api/v1/types.go":           "// +groupName=op.example.dev\npackage v1\n\nvar AddToScheme = 1\n",
		"api/v2/types.go":           "// +groupName=op.example.dev\npackage v2\n\nvar AddToScheme = 1\n",
		"internal/v1/types.go":      "package v1\n",
		"internal/v1/conversion.go": "package v1\n",
		"internal/conv/widget.go": "package conv\n\nimport (\n\tv1 \"example.dev/op/api/v1\"\n\tv2 \"example.dev/op/api/v2\"\n\t\"k8s.io/apimachinery/pkg/runtime\"\n\t\"sigs.k8s.io/controller-runtime/pkg/client\"\n\twhconversion \"sigs.k8s.io/controller-runtime/pkg/webhook/conversion\"\n)\n\n" +
			replace(declaration, "NEW", "whconversion.NewHubSpokeConverter(&v2.Widget{}, whconversion.NewSpokeConverter(new(v1.Widget), to, from))"),
	}
}

// TestConverters: variables, functions without arguments, and functions of a scheme are registered; what another package cannot make is
// an error with its name, unless a set-up makes it.
func TestConverters(t *testing.T) {
	setup := &Setup{file: "setup.go", text: "package main\n"}
	for declaration, want := range map[string]string{
		"var Widget = NEW\n": "Widget",
		"func Widget() func(*runtime.Scheme) (whconversion.Converter, error) {\n\treturn NEW\n}\n":                "Widget()",
		"func Widget(s *runtime.Scheme) (whconversion.Converter, error) {\n\treturn NEW(s)\n}\n":                  "Widget",
		"func Widget(c client.Client) func(*runtime.Scheme) (whconversion.Converter, error) {\n\treturn NEW\n}\n": "",
		"var widget = NEW\n":                      "",
		"func Register(m any) {\n\tuse(NEW)\n}\n": "",
		"var Widgets = []any{NEW}\n":              "",
	} {
		found, err := Find(writeModule(t, hubSpoke(declaration)))
		require.NoError(t, err)
		require.Len(t, found.Converters, 1, declaration)
		c := found.Converters[0]
		assert.Equal(t, want, c.Value, declaration)
		assert.Equal(t, want == "", c.Why != "", declaration)
		assert.Equal(t, Type{"example.dev/op/api/v2", "Widget"}, c.Hub)
		assert.Equal(t, []Type{{"example.dev/op/api/v1", "Widget"}, {"example.dev/op/api/v2", "Widget"}}, c.Types)
		assert.Equal(t, []string{"Widget.op.example.dev"}, found.Kinds())

		main, err := generate(found, nil)
		if want == "" {
			assert.ErrorContains(t, err, c.Name+" of package example.dev/op/internal/conv")
			assert.ErrorContains(t, err, "auto: {setup: FILE.go}")
			main, err = generate(found, setup)
			require.NoError(t, err)
			assert.Contains(t, main, "require(&api1.Widget{}, \""+c.missing()+"\")")
			assert.Equal(t, []servers.MissingSetup{{Text: c.missing(), Setter: "example.dev/op/internal/conv." + c.Name}}, Program("p", found).MissingSetups)
			continue
		}
		require.NoError(t, err)
		assert.Empty(t, Program("p", found).MissingSetups)
		assert.Contains(t, main, "register(&api1.Widget{}, api2."+want+")")
		assert.NotContains(t, main, "setup()")
	}
}

// TestConverterOfHiddenHub: a converter of which the source does not show the kind is an error, not left out.
func TestConverterOfHiddenHub(t *testing.T) {
	found, err := Find(writeModule(t, hubSpoke("var hub = &v2.Widget{}\n\nvar Widget = whconversion.NewHubSpokeConverter(hub)\n")))
	require.NoError(t, err)
	_, err = generate(found, nil)
	assert.ErrorContains(t, err, "Widget of package example.dev/op/internal/conv")
	main, err := generate(found, &Setup{})
	require.NoError(t, err)
	assert.NotContains(t, main, "register(&")
}

// TestRecipeOfSetup: the user's file is part of the program, so that another text is another build.
func TestRecipeOfSetup(t *testing.T) {
	dir := writeModule(t, nil)
	found, err := Find(dir)
	require.NoError(t, err)
	ref := servers.Reference{Path: dir}
	without, err := Recipe(ref, dir, found, nil)
	require.NoError(t, err)
	assert.Empty(t, without.Files)
	with, err := Recipe(ref, dir, found, &Setup{file: "mine.go", text: "package main\n"})
	require.NoError(t, err)
	assert.Equal(t, map[string]string{setupFile: "package main\n"}, with.Files)
	assert.Contains(t, with.Main, "setup()")
	assert.NotContains(t, without.Main, "setup()")
}

// TestGetter: cluster-api's conversions are set up in both forms of the function.
func TestGetter(t *testing.T) {
	for parameters, want := range map[string]string{
		"gk schema.GroupKind":                      "SetAPIVersionGetter(func(gk schema.GroupKind) (string, error)",
		"ctx context.Context, gk schema.GroupKind": "SetAPIVersionGetter(func(_ context.Context, gk schema.GroupKind) (string, error)",
	} {
		found, err := Find(writeModule(t, hubSpoke("var Widget = NEW\n\nfunc SetAPIVersionGetter(f func("+parameters+") (string, error)) {}\n")))
		require.NoError(t, err)
		main, err := generate(found, nil)
		require.NoError(t, err)
		assert.Contains(t, main, "api2."+want)
	}
}

// TestMissingSetup: a variable that is a function which only returns an error that names it, and that a function sets, is a set-up; an
// error about an object is none, nor is a variable that nobody sets.
func TestMissingSetup(t *testing.T) {
	const variable = "import \"errors\"\n\nvar getter = func() (string, error) { return \"\", errors.New(\"getter not set\") }\n\n"
	for text, want := range map[string][]servers.MissingSetup{
		variable + "func SetGetter(f func() (string, error)) { getter = f }\n":                                                                 {{Text: "getter not set", Setter: "example.dev/op/api/other.SetGetter"}},
		variable + "func Get(f func() (string, error)) { getter := f; _ = getter }\n":                                                          nil,
		replace(variable, "\"getter not", "\"spec.size not") + "func SetGetter(f func() (string, error)) { getter = f }\n":                     nil,
		"import \"errors\"\n\nfunc Check(size int) error {\n\tif size == 0 {\n\t\treturn errors.New(\"size not set\")\n\t}\n\treturn nil\n}\n": nil,
	} {
		found, err := Find(writeModule(t, map[string]string{"api/other/half.go": "package other\n\n" + text}))
		require.NoError(t, err)
		assert.Equal(t, want, found.MissingSetups, text)
	}
}

// TestSetup: a set-up is a Go file of package main with func setup() error; others are errors with their line.
func TestSetup(t *testing.T) {
	write := func(text string) string {
		file := filepath.Join(t.TempDir(), "mine.go")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	s, err := ReadSetup(write("//go:build ignore\n\npackage main\n\nfunc setup() error { return nil }\n"))
	require.NoError(t, err)
	assert.NotContains(t, s.text, "ignore", "else the file is not part of the build")
	assert.Equal(t, 5, strings.Count(s.text, "\n"), "lines keep their numbers")
	for text, want := range map[string]string{
		"package op\n\nfunc setup() error { return nil }\n":                 "mine.go:1:9",
		"package main\n\nfunc setup(c int) error { return nil }\n":          "mine.go:3:1",
		"package main\n\nfunc setup() {}\n":                                 "mine.go:3:1",
		"package main\n\nfunc Setup() error { return nil }\n":               "has no func setup() error",
		"package main\n\ntype t int\n\nfunc (t) setup() error { return 1 }": "has no func setup() error",
		"package main\n\nfunc setup() error {\n":                            "mine.go:",
	} {
		_, err := ReadSetup(write(text))
		assert.ErrorContains(t, err, want, text)
	}
	_, err = ReadSetup(filepath.Join(t.TempDir(), "none.go"))
	assert.ErrorContains(t, err, "none.go")
}

// TestExplain: errors of the compiler name the user's file, and other errors are not the set-up's.
func TestExplain(t *testing.T) {
	s := &Setup{file: "ops/mine.go"}
	assert.EqualError(t, s.Explain(errors.New("go build: # x/"+folder+"\n"+folder+"/setup.go:7:2: undefined: y")), "set-up: go build: # x/"+folder+"\nops/mine.go:7:2: undefined: y")
	assert.NoError(t, s.Explain(errors.New(folder+"/main.go:7:2: undefined: y")))
	assert.NoError(t, s.Explain(nil))
	assert.NoError(t, (*Setup)(nil).Explain(errors.New(folder+"/setup.go:7:2: undefined: y")))
}
