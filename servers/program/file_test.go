package program_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/program"
)

const right = "component: operator, command: [sh, serve], flags: [\"--port=$(port)\", \"--cert-dir=$(certDir)\", \"--release=$(version)\"], env: {B: $(kubeconfig), A: $(version)}"

// TestRead: one entry is for both releases, and a file may have one for each.
func TestRead(t *testing.T) {
	file, err := program.Read("p.yaml", []byte("{"+right+"}"))
	require.NoError(t, err)
	assert.Equal(t, file.Of(program.Old), file.Of(program.New))
	p, err := file.Of(program.New).Program("v2", "")
	require.NoError(t, err)
	assert.Equal(t, []string{"serve", "--port=$(port)", "--cert-dir=$(certDir)", "--release=v2"}, p.Args)
	assert.Equal(t, []string{"A=v2", "B=$(kubeconfig)"}, p.Env)
	assert.True(t, filepath.IsAbs(p.Path))
	other, err := file.Of(program.New).Program("v3", "")
	require.NoError(t, err)
	assert.NotEqual(t, p.Digest, other.Digest)

	file, err = program.Read("p.yaml", []byte("new: {component: operator, module: \"example.dev/op@$(version)//cmd/webhook\", flags: [$(port), $(certDir)], converts: /c, ready: /readyz}"))
	require.NoError(t, err)
	assert.Nil(t, file.Of(program.Old))
	ref, folder, err := file.Of(program.New).Reference("v1.2.3")
	require.NoError(t, err)
	assert.Equal(t, "module:example.dev/op@v1.2.3", ref.String())
	assert.Equal(t, "cmd/webhook", folder)
	_, _, err = file.Of(program.New).Reference("crds")
	assert.ErrorContains(t, err, "p.yaml:1: module: ")
}

// TestImage: flags go in place of the image's command, and an image without anything to execute is refused, at its line.
func TestImage(t *testing.T) {
	file, err := program.Read("p.yaml", []byte("component: operator\nimage: example.dev/op:$(version)\nflags: [$(port), $(certDir)]\n"))
	require.NoError(t, err)
	e := file.Of(program.New)
	assert.Equal(t, "example.dev/op:v2", e.ImageOf("v2"))
	p, err := e.InImage("v2", "sha256:1", []string{"/init", "--"}, []string{"/manager"})
	require.NoError(t, err)
	assert.Equal(t, []string{"sha256:1", "/init", "--", "$(port)", "$(certDir)"}, append([]string{p.Image, p.Path}, p.Args...))
	other, err := e.InImage("v2", "sha256:2", []string{"/init", "--"}, nil)
	require.NoError(t, err)
	assert.NotEqual(t, p.Digest, other.Digest)
	p, err = e.InImage("v2", "sha256:1", nil, []string{"/manager"})
	require.NoError(t, err)
	assert.Equal(t, "/manager", p.Path)
	_, err = e.InImage("v2", "sha256:1", nil, nil)
	assert.ErrorContains(t, err, "p.yaml:2: image: ")

	file, err = program.Read("p.yaml", []byte("{component: operator, image: op, env: {PORT: $(port), CERTS: $(certDir)}}"))
	require.NoError(t, err)
	p, err = file.Of(program.New).InImage("", "sha256:1", []string{"/init"}, []string{"serve"})
	require.NoError(t, err)
	assert.Equal(t, []string{"serve"}, p.Args)
	_, err = program.Read("p.yaml", []byte("{component: operator, image: \"op:$(port)\", flags: [$(port), $(certDir)]}"))
	assert.Error(t, err)
}

// TestConfigurationsIn: configurations are in the module of the definitions, or beside the program file, and never elsewhere in a module.
func TestConfigurationsIn(t *testing.T) {
	at := func(path string) *program.Entry {
		file, err := program.Read("/scenarios/ops/p.yaml", []byte("component: operator\ncommand: [sh, $(port), $(certDir)]\nadmits: [/a]\nconfigurations: "+path))
		require.NoError(t, err)
		return file.Of(program.New)
	}
	for _, c := range []struct{ path, module, within, root, want string }{
		{path: "config/webhook", want: "/scenarios/ops/config/webhook"},
		{path: "config/webhook", module: "/mod", root: "/mod", want: "config/webhook"},
		{path: "config/webhook", module: "/mod", within: "/scenarios", root: "/mod", want: "config/webhook"},
		{path: "../config/$(version)", want: "/scenarios/config/v2"},
		{path: "../config/$(version)", within: "/scenarios", root: "/scenarios", want: "config/v2"},
		{path: "/scenarios/config", within: "/scenarios", root: "/scenarios", want: "config"},
		{path: "../../elsewhere", want: "/elsewhere"},
		{path: "/abs/webhook", module: "/mod", want: "/abs/webhook"},
	} {
		root, name, err := at(c.path).ConfigurationsIn(filepath.FromSlash(c.module), filepath.FromSlash(c.within), "v2")
		require.NoError(t, err)
		assert.Equal(t, []string{filepath.FromSlash(c.root), filepath.FromSlash(c.want)}, []string{root, name}, c.path)
	}
	for _, c := range []struct{ path, module, within, want string }{
		{"../config", "/mod", "", "\"../config\" leads out of the module"},
		{"../../elsewhere", "", "/scenarios", "leads out of the folder of the scenario"},
		{"/abs/webhook", "", "/scenarios", "leads out of the folder of the scenario"},
		{"/abs/webhook", "/mod", "/scenarios", "leads out of the folder of the scenario"},
	} {
		_, _, err := at(c.path).ConfigurationsIn(c.module, c.within, "v2")
		assert.ErrorContains(t, err, "p.yaml:4: configurations: ")
		assert.ErrorContains(t, err, c.want)
	}
}

// TestReadRefuses: each mistake has its line and a way out.
func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":               "p.yaml: empty: want at least component and command",
		"{command: [x]}": "p.yaml:1: component is missing",
		"{component: x}": "want exactly one of command, module, image, url and auto",
		"{component: x, command: [y], module: a@v1.0.0, flags: [$(port)]}":  "want exactly one of command, module, image, url and auto",
		"{component: x, command: [y, $(port)]}":                             "no argument and no variable has $(certDir)",
		"{component: x, command: [y, $(certDir)]}":                          "no argument and no variable has $(port)",
		"{component: x, command: [y, $(prot)]}":                             "$(prot) is not known here",
		"{component: x, url: \"https://192.0.2.1:9443\", caFile: c}":        "want an address on loopback",
		"{component: x, url: \"http://127.0.0.1:9443\", caFile: c}":         "want https, a host and a port",
		"{component: x, url: \"https://127.0.0.1:9443\"}":                   "url needs caFile",
		"{component: x, url: \"https://127.0.0.1:99999\", caFile: c}":       "want https, a host and a port",
		"{component: x, url: \"https://127.0.0.1:0\", caFile: c}":           "want https, a host and a port",
		"{component: x, url: \"https://me:secret@127.0.0.1:1\", caFile: c}": "without a user, a query and a fragment",
		"{component: x, url: \"https://127.0.0.1:9443?a=b\", caFile: c}":    "without a user, a query and a fragment",
		"{component: x, command: [y], converts: convert}":                   "want a path, such as /convert",
		"{component: x, command: [y], admits: [/convert]}":                  "/convert is named twice",
		"{component: x, command: [y], admits: [/a, /b, /a]}":                "/a is named twice",
		"{component: x, command: [y], configurations: config/webhook}":      "configurations needs admits",
		"{component: x, configurations: $(port)}":                           "configurations: $(port) is not known here",
		"new: {component: X}":            "p.yaml:1: new.component: \"X\": want lower-case letters",
		"new: {component: x}\nnewer: {}": "p.yaml:2: unknown key \"newer\": did you mean \"new\"?",
	} {
		_, err := program.Read("p.yaml", []byte(text))
		assert.ErrorContains(t, err, want, text)
	}
	file, err := program.Read(filepath.Join(t.TempDir(), "p.yaml"), []byte("{component: x, command: [./none, $(port), $(certDir)]}"))
	require.NoError(t, err)
	_, err = file.Of(program.Old).Program("v1", "")
	assert.ErrorContains(t, err, "build it first")
	_, err = os.Stat("none")
	assert.Error(t, err)
}

// TestExecutableBesideFile: an executable with a slash in its name is beside the file alone, also where that is in the current folder;
// without a slash it is looked up in PATH.
func TestExecutableBesideFile(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("op", []byte("#!/bin/sh\n"), 0o700))
	for command, want := range map[string]string{"./sh": "p.yaml:1: command: exec: \"./sh\": stat ./sh: no such file", "./op": "", "sh": "", "op": "$PATH"} {
		file, err := program.Read("p.yaml", []byte("{component: x, command: ["+command+", $(port), $(certDir)]}"))
		require.NoError(t, err)
		err = file.Of(program.New).Check("v1")
		if want == "" {
			assert.NoError(t, err, command)
		} else {
			assert.ErrorContains(t, err, want, command)
		}
	}
}

// TestReadAuto: a program that is generated needs no command; its set-up is found from the folder of the file.
func TestReadAuto(t *testing.T) {
	file, err := program.Read(filepath.Join("ops", "p.yaml"), []byte("old: {auto: {}}\nnew: {auto: {setup: mine.go, module: example.dev/op@$(version)}, kinds: [Widget.example.dev]}"))
	require.NoError(t, err)
	assert.Empty(t, file.Of(program.Old).Auto.Setup)
	_, named, err := file.Of(program.Old).Auto.Reference("v1.2.3")
	assert.False(t, named)
	require.NoError(t, err)
	newer := file.Of(program.New)
	assert.Equal(t, filepath.Join("ops", "mine.go"), newer.Auto.Setup)
	assert.Equal(t, []string{"Widget.example.dev"}, newer.Kinds)
	ref, named, err := newer.Auto.Reference("v1.2.3")
	require.NoError(t, err)
	assert.True(t, named)
	assert.Equal(t, "module:example.dev/op@v1.2.3", ref.String())
	_, _, err = newer.Auto.Reference("crds")
	assert.ErrorContains(t, err, "p.yaml:2: auto.module: ")

	for file, want := range map[string]string{"p.yaml": "source:./op", "ops/p.yaml": "source:./ops/op", "../p.yaml": "source:../op", "/ops/p.yaml": "source:/ops/op"} {
		read, err := program.Read(filepath.FromSlash(file), []byte("{auto: {module: ./op}}"))
		require.NoError(t, err)
		ref, named, err := read.Of(program.New).Auto.Reference("")
		assert.True(t, named)
		require.NoError(t, err)
		assert.Equal(t, want, filepath.ToSlash(ref.String()))
	}

	file, err = program.Read("p.yaml", []byte("{component: auto, command: [old], env: {A: new}, flags: [$(port), $(certDir)]}"))
	require.NoError(t, err, "values are no keys")
	assert.Equal(t, "auto", file.Of(program.New).Component)
	file, err = program.Read("p.yaml", []byte("{component: old, command: [auto], flags: [$(port), $(certDir)]}"))
	require.NoError(t, err)
	assert.Equal(t, "old", file.Of(program.New).Component)

	for text, want := range map[string]string{
		"{auto: yes}":                     "p.yaml:1: auto: ",
		"auto: {setup: mine.sh}":          "p.yaml:1: auto.setup: ",
		"auto: {setpu: mine.go}":          "p.yaml:1: auto: unknown key",
		"new: {auto: {}, command: [x]}":   "p.yaml:1: new: unknown key",
		"{auto: {module: a@$(port)}}":     "p.yaml:1: auto.module: ",
		"{auto: {}, kinds: [\"\"]}":       "p.yaml:1: kinds has an empty name",
		"{component: x, command: [auto]}": "no argument and no variable has $(port)",
	} {
		_, err := program.Read("p.yaml", []byte(text))
		assert.ErrorContains(t, err, want, text)
	}
}
