package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// authored is a checkout of Kubernetes with an author's change: the release's own code, as
// the module proxy has it, one minor further, in which ConfigMaps have a nickname. Since
// nothing in it depends on when it was made, what is built of it is built once.
func authored(t *testing.T, release servers.Build, minor string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "kubernetes")
	kubernetes := fetched(t, "k8s.io/kubernetes@"+release.Version)["k8s.io/kubernetes"]
	for _, part := range []string{"cmd", "pkg", "plugin", "third_party", "go.mod", "go.sum"} {
		copySources(t, filepath.Join(kubernetes, part), filepath.Join(folder, part))
	}
	stage(t, folder, release)
	edit(t, folder, "staging/src/k8s.io/component-base/version/base.go", "", regexp.MustCompile(`DefaultKubeBinaryVersion += "[0-9.]+"`), `DefaultKubeBinaryVersion = "`+minor+`"`)
	command(t, folder, "git", "init", "-q")
	command(t, folder, "git", "add", "-A")
	command(t, folder, "git", "commit", "-q", "-m", "A release to be")
	command(t, folder, "git", "tag", "v"+minor+".0-alpha.1")
	nickname(t, folder)
	return folder
}

// fetched returns the folders of the available modules by path.
func fetched(t *testing.T, modules ...string) map[string]string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"mod", "download", "-json"}, modules...)...)
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) { // some are not available: it says which
		t.Fatal(err)
	}
	folders := map[string]string{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var m struct{ Path, Dir string }
		if err := dec.Decode(&m); errors.Is(err, io.EOF) {
			return folders
		} else if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if m.Dir != "" {
			folders[m.Path] = m.Dir
		}
	}
}

// copySources copies a file or a folder, as its owner may write it, without tests.
func copySources(t *testing.T, from, to string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(from, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == "testdata":
			return filepath.SkipDir
		case e.IsDir() || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := filepath.Join(to, inside)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		return os.WriteFile(name, text, 0o600)
	}))
}

// stage puts the modules that Kubernetes keeps in its own tree where it has them. API
// servers do not need those that are not available. Where a module has a substitute, stage
// uses it again, and adds it to go.sum.
func stage(t *testing.T, folder string, release servers.Build) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	require.NoError(t, err)
	var modules []string
	version := "@v0." + strings.TrimPrefix(release.Version, "v1.")
	for _, match := range regexp.MustCompile(`=> \./staging/src/(\S+)`).FindAllSubmatch(text, -1) {
		modules = append(modules, string(match[1])+version)
	}
	require.Greater(t, len(modules), 20)
	folders := fetched(t, modules...)
	for _, m := range modules {
		path := strings.TrimSuffix(m, version)
		to := filepath.Join(folder, "staging", "src", filepath.FromSlash(path))
		if from, ok := folders[path]; ok {
			copySources(t, from, to)
			continue
		}
		require.NoError(t, os.MkdirAll(to, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(to, "go.mod"), []byte("module "+path+"\n\ngo 1.24\n"), 0o600))
	}
	for _, s := range release.Substitutions() {
		words := strings.Fields(s) // PATH VERSION -> VERSION
		command(t, folder, "go", "mod", "edit", "-require="+words[0]+"@"+words[len(words)-1])
	}
	command(t, folder, "go", "list", "-mod=mod", "-deps", "./cmd/kube-apiserver")
}

func command(t *testing.T, folder, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOWORK=off", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_AUTHOR_DATE=2026-07-22T18:07:38Z", "GIT_COMMITTER_DATE=2026-07-22T18:07:38Z", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %s: %s", name, args, tail(string(out)))
}

// edit replaces the first match behind a mark; $0 means the match.
func edit(t *testing.T, folder, path, mark string, pattern *regexp.Regexp, with string) {
	t.Helper()
	name := filepath.Join(folder, filepath.FromSlash(path))
	raw, err := os.ReadFile(name)
	require.NoError(t, err)
	before, after, ok := strings.Cut(string(raw), mark)
	require.True(t, ok, "%s has no %q", path, mark)
	at := pattern.FindStringIndex(after)
	require.NotNil(t, at, "%s has no %s behind %q", path, pattern, mark)
	text := before + mark + after[:at[0]] + strings.ReplaceAll(with, "$0", after[at[0]:at[1]]) + after[at[1]:]
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
}

// nickname adds a field to ConfigMaps: the types, and what Kubernetes' generators make of
// them.
func nickname(t *testing.T, folder string) {
	t.Helper()
	const field = "\n\t// Nickname is how people call it.\n\tNickname string"
	line := func(text string) *regexp.Regexp { return regexp.MustCompile(`(?m)^\t+` + text + `.*\n`) }
	const api = "staging/src/k8s.io/api/core/v1/"
	edit(t, folder, api+"types.go", "\ntype ConfigMap struct", line("BinaryData "), "$0"+field+" `json:\"nickname,omitempty\" protobuf:\"bytes,5,opt,name=nickname\"`\n")
	edit(t, folder, "pkg/apis/core/types.go", "\ntype ConfigMap struct", line("BinaryData "), "$0"+field+"\n")
	for _, convert := range []string{"v1_ConfigMap_To_core_ConfigMap", "core_ConfigMap_To_v1_ConfigMap"} {
		edit(t, folder, "pkg/apis/core/v1/zz_generated.conversion.go", "\nfunc autoConvert_"+convert+"(", line("return nil"), "\tout.Nickname = in.Nickname\n$0")
	}
	edit(t, folder, "pkg/generated/openapi/zz_generated.openapi.go", "\nfunc schema_k8sio_api_core_v1_ConfigMap(", line(`"data": \{`),
		"\t\t\t\t\t\"nickname\": {SchemaProps: spec.SchemaProps{Type: []string{\"string\"}}},\n$0")
	const pb = api + "generated.pb.go"
	edit(t, folder, pb, "\nfunc (m *ConfigMap) MarshalToSizedBuffer(", line("if m.Immutable != nil"), nicknameMarshal+"$0")
	edit(t, folder, pb, "\nfunc (m *ConfigMap) Size(", regexp.MustCompile(`(?m)^\treturn n\n`), nicknameSize+"$0")
	edit(t, folder, pb, "\nfunc (m *ConfigMap) Unmarshal(", line("m.Immutable = &b"), "$0"+nicknameUnmarshal)
}

// What protobuf's generator makes of the field.
const (
	nicknameMarshal = `	if len(m.Nickname) > 0 {
		i -= len(m.Nickname)
		copy(dAtA[i:], m.Nickname)
		i = encodeVarintGenerated(dAtA, i, uint64(len(m.Nickname)))
		i--
		dAtA[i] = 0x2a
	}
`
	nicknameSize = `	if l = len(m.Nickname); l > 0 {
		n += 1 + l + sovGenerated(uint64(l))
	}
`
	nicknameUnmarshal = `		case 5:
			var length uint64
			for shift := uint(0); ; shift += 7 {
				if shift >= 64 {
					return ErrIntOverflowGenerated
				}
				if iNdEx >= l {
					return io.ErrUnexpectedEOF
				}
				b := dAtA[iNdEx]
				iNdEx++
				length |= uint64(b&0x7F) << shift
				if b < 0x80 {
					break
				}
			}
			if length > uint64(l-iNdEx) {
				return io.ErrUnexpectedEOF
			}
			m.Nickname = string(dAtA[iNdEx : iNdEx+int(length)])
			iNdEx += int(length)
`
)
