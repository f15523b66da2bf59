package builder

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
)

// TestStandIn: what a program file lacks in a preflight has its line, and a program that depends on a release's version is refused, before
// anything is built; the same file without these mistakes is not.
func TestStandIn(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.yaml")
	for text, want := range map[string]string{
		"auto: {module: example.dev/op@v1.0.0, setup: absent.go}\n":                                                 "p.yaml:1: auto.setup: ",
		"component: op\ncommand: [./absent, $(port), $(certDir)]\nkinds: [Widget]\n":                                "p.yaml:2: command: ",
		"component: op\ncommand: [./absent, $(port), $(certDir), $(version)]\nkinds: [Widget]\n":                    "$(version) is the version",
		"component: op\nimage: op:$(version)\nflags: [$(port), $(certDir)]\nkinds: [Widget]\n":                      "$(version) is the version",
		"auto: {module: example.dev/op@$(version)}\n":                                                               "$(version) is the version",
		"component: op\ncommand: [./absent]\nflags: [$(port), $(certDir), $(kubeconfig), $(version)]\nkinds: [W]\n": "$(kubeconfig) is for",
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, _, err := New(Config{}).StandIn(t.Context(), file)
		require.ErrorContains(t, err, want, text)
		assert.True(t, fault.Is(err, fault.User), text)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "op"), []byte("#!/bin/sh\n"), 0o700))
	require.NoError(t, os.WriteFile(file, []byte("component: op\ncommand: [./op, $(port), $(certDir)]\nkinds: [Widget]\n"), 0o600))
	_, kinds, err := New(Config{}).StandIn(t.Context(), file)
	require.NoError(t, err)
	assert.Equal(t, []string{"Widget"}, kinds)
}

// TestModuleOfProgram: the error for a module that cannot be fetched has the line that names it.
func TestModuleOfProgram(t *testing.T) {
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOPROXY", "off")
	file := filepath.Join(t.TempDir(), "p.yaml")
	require.NoError(t, os.WriteFile(file, []byte("component: op\nmodule: example.dev/op@v1.0.0//cmd\nflags: [$(port), $(certDir)]\nkinds: [Widget]\n"), 0o600))
	_, _, err := New(Config{}).StandIn(t.Context(), file)
	assert.ErrorContains(t, err, "p.yaml:2: module: ")
}

// TestConfigurationsWithin: a program file that a scenario's file names has configurations of the scenario's folder alone, through no link
// either. Whoever names the program file may name any.
func TestConfigurationsWithin(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	const webhooks = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: w}\n" +
		"webhooks: [{name: a.example.dev, clientConfig: {service: {name: webhook-service, namespace: system, path: /validate}}}]\n"
	for _, name := range []string{"in/config/a.yaml", "in/ops/config/a.yaml", "out/a.yaml"} {
		write(name, webhooks)
	}
	write("in/crd/a.yaml", chartDefinition)
	require.NoError(t, os.Symlink(filepath.Join(dir, "out"), filepath.Join(dir, "in/away")))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "in/files"), 0o700))
	require.NoError(t, os.Symlink(filepath.Join(dir, "out/a.yaml"), filepath.Join(dir, "in/files/a.yaml")))
	require.NoError(t, os.Symlink("config", filepath.Join(dir, "in/near")))
	read := func(configurations string, byFile bool) (int, error) {
		write("in/ops/program.yaml", "component: op\ncommand: [sh, $(port), $(certDir)]\nadmits: [/validate]\nconfigurations: "+configurations+"\n")
		ref := servers.Reference{Scheme: servers.SchemeManifests, Path: "crd"}
		ref.Manifests.Within, ref.Manifests.ProgramOf = filepath.Join(dir, "in"), "new"
		ref.Manifests.Program = filepath.Join(dir, "in/ops/program.yaml")
		if byFile {
			ref.Manifests.Program, ref.Manifests.ProgramWithin = "ops/program.yaml", filepath.Join(dir, "in")
		}
		set, err := Files{}.Manifests(t.Context(), ref)
		return len(set.Admission), err
	}
	for at, inside := range map[string]bool{
		"config": true, "config/a.yaml": true, "../config": true, "../near": true, filepath.Join(dir, "in/config"): true,
		"../../out": false, filepath.Join(dir, "out"): false, "../away": false, "../away/a.yaml": false, "../files": false,
	} {
		n, err := read(at, false)
		require.NoError(t, err, at)
		assert.Equal(t, 1, n, at)
		n, err = read(at, true)
		assert.Equal(t, inside, err == nil, "%s: %v", at, err)
		assert.Equal(t, inside, n == 1, at)
	}
}

// TestConfigurations: the webhooks that a program file names are those of the release as if they stood beside its definitions. What is
// wrong with them is named at the line of the program file, or at their own.
func TestConfigurations(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	const webhooks = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: w}\n" +
		"webhooks: [{name: a.example.dev, clientConfig: {service: {name: webhook-service, namespace: system, path: /validate}}}]\n"
	write("ops/config/crd/a.yaml", chartDefinition)
	write("ops/config/webhook/manifests.yaml", webhooks)
	write("ops/config/webhook/service.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: webhook-service}\n")
	write("ops/config/empty/service.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: webhook-service}\n")
	write("beside/a.yaml", chartDefinition)
	write("beside/b.yaml", webhooks)
	read := func(folder, configurations string) ([]string, error) {
		text := "component: op\ncommand: [sh, $(port), $(certDir)]\nadmits: [/validate]\n"
		if configurations != "" {
			text += "configurations: " + configurations + "\n"
		}
		write("ops/program.yaml", text)
		ref := servers.Reference{Scheme: servers.SchemeManifests, Path: filepath.Join(dir, folder)}
		ref.Manifests.Program, ref.Manifests.ProgramOf = filepath.Join(dir, "ops/program.yaml"), "new"
		set, err := Files{}.Manifests(t.Context(), ref)
		var all []string
		for _, c := range set.Admission {
			all = append(all, string(c.JSON))
		}
		return all, err
	}
	want, err := read("beside", "")
	require.NoError(t, err)
	require.Len(t, want, 1)
	none, err := read("ops/config/crd", "")
	require.NoError(t, err)
	assert.Empty(t, none)
	for _, at := range []string{"config/webhook", "config/webhook/manifests.yaml", filepath.Join(dir, "ops/config/webhook")} {
		got, err := read("ops/config/crd", at)
		require.NoError(t, err)
		assert.Equal(t, want, got, at)
	}
	for at, text := range map[string]string{
		"config/none":  "program.yaml:4: configurations: " + filepath.Join(dir, "ops/config/none") + ": no such file or directory",
		"config/empty": "config/empty: contains no ValidatingWebhookConfiguration",
		"config/crd":   "config/crd/a.yaml:1: kind: CustomResourceDefinition: here are configurations of webhooks alone",
		"../beside":    "beside/a.yaml:1: kind: CustomResourceDefinition",
	} {
		_, err := read("ops/config/crd", at)
		require.ErrorContains(t, err, text)
		assert.Equal(t, 1, strings.Count(err.Error(), "\n")+1, err)
		assert.True(t, fault.Is(err, fault.User))
	}
	_, err = read("beside", "config/webhook")
	assert.ErrorContains(t, err, "is configured in "+filepath.Join(dir, "beside/b.yaml")+":1 already")
}

// TestCheckPrograms: before anything is built, an executable that is missing, a program that is generated from a folder in no Go module, and a
// program file outside of the scenario's folder are errors; releases that need no conversion, and whole programs, have none.
func TestCheckPrograms(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), mode))
	}
	const webhook = ", conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: op, name: webhook}}}}"
	definition := func(more string) string {
		return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: gadgets.example.dev}\nspec: {group: example.dev, scope: Namespaced, " +
			"names: {kind: Gadget, plural: gadgets}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}, " +
			"{name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}]" + more + "}\n"
	}
	for name, text := range map[string]string{
		"in/bare/a.yaml": definition(webhook), "in/plain/a.yaml": definition(""), "in/mod/crd/a.yaml": definition(webhook), "in/mod/go.mod": "module example.dev/op\n",
		"in/none.yaml": "{component: op, command: [./none, $(port), $(certDir)]}", "in/op.yaml": "{component: op, command: [./op, $(port), $(certDir)]}",
		"in/folder.yaml": "auto: {module: ./mod}", "in/nowhere.yaml": "auto: {module: ./mod/nowhere}", "in/above.yaml": "auto: {module: ../in}",
		"in/auto.yaml": "auto: {}", "out.yaml": "{component: op, command: [./none, $(port), $(certDir)]}",
	} {
		write(name, text, 0o600)
	}
	write("in/op", "#!/bin/sh\n", 0o700)
	for _, c := range []struct{ folder, programs, want string }{
		{"bare", "none.yaml", "none.yaml:1: command: "}, {"plain", "none.yaml", ""}, {"bare", "op.yaml", ""},
		{"bare", "auto", "the folder is in no Go module"}, {"bare", "auto.yaml", "the folder is in no Go module"},
		{"bare", "folder.yaml", ""}, {"bare", "nowhere.yaml", "nowhere: no such file or directory"}, {"bare", "above.yaml", "the folder is in no Go module"},
		{"plain", "auto", ""}, {"mod/crd", "auto", ""}, {"mod/crd", "auto.yaml", ""},
		{"bare", "../out.yaml", `program "../out.yaml" leads out of the folder of the scenario: name a file of it, or name the program file on the command line`},
		{"bare", filepath.Join(dir, "in/op.yaml"), ""}, {"bare", "../in/op.yaml", ""},
	} {
		ref := servers.Reference{Scheme: servers.SchemeManifests, Path: c.folder}
		ref.Manifests = servers.Manifests{Within: filepath.Join(dir, "in"), Program: c.programs, ProgramWithin: filepath.Join(dir, "in"), ProgramOf: "new"}
		_, unread := Files{}.Manifests(t.Context(), ref)
		err := errors.Join(unread, Files{}.CheckPrograms(t.Context(), ref, ref))
		if c.want == "" {
			assert.NoError(t, err, c)
			continue
		}
		require.ErrorContains(t, err, c.want)
		assert.Equal(t, 1, strings.Count(err.Error(), c.want), err)
	}
}
