package servers_test

import (
	"cmp"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/skewsim/skewsim/servers"
)

func release(version string) servers.Reference {
	return servers.Reference{Scheme: servers.SchemeRelease, Component: "kube-apiserver", Version: version}
}

func train(version string) servers.Reference {
	return servers.Reference{Scheme: servers.SchemeTrain, Component: "frobber", Version: version}
}

const wantTrain = `: want X.Y, such as 1.1, or X.Y+MUTANT, such as 1.1+required`

func path(file string) servers.Reference {
	return servers.Reference{Scheme: servers.SchemePath, Path: file}
}

func image(name string) servers.Reference {
	return servers.Reference{Scheme: servers.SchemeImage, Path: name}
}

const digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func TestParseReference(t *testing.T) {
	for _, c := range []struct {
		text, err string
		want      servers.Reference
		written   string // where that is another way
	}{
		{text: "kube-apiserver@v1.36.3", want: release("v1.36.3")},
		{text: "kube-apiserver@v1.37.0-rc.1", want: release("v1.37.0-rc.1")},
		{text: "path:./_output/bin/kube-apiserver", want: path("./_output/bin/kube-apiserver")},
		{text: "path:/a b/c@d", want: path("/a b/c@d")},
		{text: "path:", err: `reference "path:": no file named; want path:FILE`},
		{text: "", err: `reference "": not understood (supported: kube-apiserver@vX.Y.Z, frobber@X.Y[+MUTANT], path:FILE, source:FOLDER, image:NAME, module:MODULE@VERSION, crd:FOLDER, crd:MODULE@VERSION//FOLDER)`},
		{text: "v1.36.3", err: `reference "v1.36.3": not understood (supported: kube-apiserver@vX.Y.Z, frobber@X.Y[+MUTANT], path:FILE, source:FOLDER, image:NAME, module:MODULE@VERSION, crd:FOLDER, crd:MODULE@VERSION//FOLDER)`},
		{text: "etcd@v3.6.0", err: `reference "etcd@v3.6.0": not understood (supported: kube-apiserver@vX.Y.Z, frobber@X.Y[+MUTANT], path:FILE, source:FOLDER, image:NAME, module:MODULE@VERSION, crd:FOLDER, crd:MODULE@VERSION//FOLDER)`},
		{text: "kube-apiserver@", err: `reference "kube-apiserver@": version "": want vX.Y.Z, such as v1.36.3`},
		{text: "kube-apiserver@latest", err: `reference "kube-apiserver@latest": version "latest": want vX.Y.Z, such as v1.36.3`},
		{text: "frobber@1.1", want: train("1.1")},
		{text: "frobber@1.1+required", want: train("1.1+required")},
		{text: "frobber@v1.1.0", want: train("1.1"), written: "frobber@1.1"},
		{text: "frobber@v1.1.0+required", want: train("1.1+required"), written: "frobber@1.1+required"},
		{text: "frobber@1.10", want: train("1.10")},
		{text: "frobber@1.1.2", err: `reference "frobber@1.1.2": release "1.1.2"` + wantTrain},
		{text: "frobber@", err: `reference "frobber@": release ""` + wantTrain},
		{text: "frobber@1.1+", err: `reference "frobber@1.1+": release "1.1+"` + wantTrain},
		{text: "frobber@1.1+required+value", err: `reference "frobber@1.1+required+value": release "1.1+required+value"` + wantTrain},
		{text: "frobber@latest", err: `reference "frobber@latest": release "latest"` + wantTrain},
		{text: "source:../kubernetes", want: servers.Reference{Scheme: servers.SchemeSource, Path: "../kubernetes"}},
		{text: "source:", err: `reference "source:": no folder named; want source:FOLDER, a checkout of Kubernetes`},
		{text: "image:kube-apiserver:v1.36.3", want: image("kube-apiserver:v1.36.3")},
		{text: "image:127.0.0.1:5000/a/b@sha256:" + digest, want: image("127.0.0.1:5000/a/b@sha256:" + digest)},
		{text: "image:", err: `reference "image:": no image named; want image:NAME, such as image:registry.k8s.io/kube-apiserver:v1.36.3`},
		{text: "image:Upper", err: `reference "image:Upper": image "Upper": invalid reference format: repository name (library/Upper) must be lowercase; want a name such as registry.k8s.io/kube-apiserver:v1.36.3`},
		{text: "module:example.org/x@v0.1.0", want: servers.Reference{Scheme: servers.SchemeModule, Module: "example.org/x", Version: "v0.1.0"}},
		{text: "module:example.org/x", err: `reference "module:example.org/x": want module:MODULE@VERSION, such as module:k8s.io/sample-apiserver@v0.36.3`},
		{text: "module:example.org/x@latest", err: `reference "module:example.org/x@latest": version "latest": want one of the module's, such as v1.1.0`},
	} {
		got, err := servers.ParseReference(c.text)
		checkError(t, c.text, err, c.err)
		if diff := gocmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
		if err == nil && got.String() != cmp.Or(c.written, c.text) {
			t.Errorf("%q: written again as %q", c.text, got)
		}
	}
}

// TestMutant: only releases of the reference server have mutants.
func TestMutant(t *testing.T) {
	for _, c := range []struct {
		of   servers.Reference
		want string
		err  string
	}{
		{train("1.1"), "frobber@1.1+required", ""},
		{train("1.1+value"), "", `frobber@1.1+value: is already a mutant, so it has no mutant "required": name the correct release`},
		{release("v1.36.3"), "", `kube-apiserver@v1.36.3: has no mutant "required": only releases of frobber and folders of manifests have mutants`},
		{path("x"), "", `path:x: has no mutant "required": only releases of frobber and folders of manifests have mutants`},
	} {
		got, err := c.of.Mutant("required")
		checkError(t, c.of.String(), err, c.err)
		if err == nil && got.String() != c.want {
			t.Errorf("%s: got %s, want %s", c.of, got, c.want)
		}
	}
}

func TestParsePair(t *testing.T) {
	const want = "want OLD..NEW, such as kube-apiserver@v1.36.3..v1.37.0, frobber@1.0..1.1 or path:a..path:b"
	for _, c := range []struct {
		text, err string
		old, new  servers.Reference
	}{
		{text: "kube-apiserver@v1.36.3..v1.37.0", old: release("v1.36.3"), new: release("v1.37.0")},
		{text: "kube-apiserver@v1.36.3..kube-apiserver@v1.37.0", old: release("v1.36.3"), new: release("v1.37.0")},
		{text: "path:a..path:b", old: path("a"), new: path("b")},
		{text: "frobber@1.0..1.1+required", old: train("1.0"), new: train("1.1+required")},
		{text: "frobber@1.0+value..frobber@v1.1.0", old: train("1.0+value"), new: train("1.1")},
		{text: "path:../a..path:../b", old: path("../a"), new: path("../b")},
		{text: "kube-apiserver@v1.36.3..path:./x", old: release("v1.36.3"), new: path("./x")},
		{text: "path:./x..kube-apiserver@v1.37.0", old: path("./x"), new: release("v1.37.0")},
		{text: "kube-apiserver@v1.36.3", err: `pair "kube-apiserver@v1.36.3": ` + want},
		{text: "", err: `pair "": ` + want},
		{text: "..v1.37.0", err: `pair "..v1.37.0": ` + want},
		{text: "kube-apiserver@v1.36.3..", err: `pair "kube-apiserver@v1.36.3..": ` + want},
		{text: "crd:m/v1..m/v2", err: `pair "crd:m/v1..m/v2": "m/v2" has no crd: before it: write crd:m/v1..crd:m/v2`},
		{text: "crd:v1..v2", err: `pair "crd:v1..v2": "v2" has no crd: before it: write crd:v1..crd:v2`},
		{text: "crd:v1..crd:v2", old: servers.Reference{Scheme: servers.SchemeManifests, Component: "crd", Path: "v1"}, new: servers.Reference{Scheme: servers.SchemeManifests, Component: "crd", Path: "v2"}},
		{text: "path:a..path:b..path:c", err: `pair "path:a..path:b..path:c": ` + want},
		{text: "v1.36.3..v1.37.0", err: `pair "v1.36.3..v1.37.0": reference "v1.36.3": not understood (supported: kube-apiserver@vX.Y.Z, frobber@X.Y[+MUTANT], path:FILE, source:FOLDER, image:NAME, module:MODULE@VERSION, crd:FOLDER, crd:MODULE@VERSION//FOLDER)`},
		{text: "path:a..v1.37.0", err: `pair "path:a..v1.37.0": reference "v1.37.0": not understood (supported: kube-apiserver@vX.Y.Z, frobber@X.Y[+MUTANT], path:FILE, source:FOLDER, image:NAME, module:MODULE@VERSION, crd:FOLDER, crd:MODULE@VERSION//FOLDER)`},
		{text: "kube-apiserver@v1.36.3..image:x", old: release("v1.36.3"), new: image("x")},
		{text: "image:127.0.0.1:5000/a:1..source:../k", old: image("127.0.0.1:5000/a:1"), new: servers.Reference{Scheme: servers.SchemeSource, Path: "../k"}},
		{text: "module:example.org/x@v0.1.0..v0.2.0", old: servers.Reference{Scheme: servers.SchemeModule, Module: "example.org/x", Version: "v0.1.0"},
			new: servers.Reference{Scheme: servers.SchemeModule, Module: "example.org/x", Version: "v0.2.0"}},
	} {
		old, new, err := servers.ParsePair(c.text)
		checkError(t, c.text, err, c.err)
		if diff := gocmp.Diff([]servers.Reference{c.old, c.new}, []servers.Reference{old, new}); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

func checkError(t *testing.T, text string, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("%q: error\n%s\nwant\n%s", text, got, want)
	}
}

// TestTellApart: two folders of one name are named with as much of their paths as tells them apart; others, and one that is named twice, by
// their own names. Releases of modules have versions.
func TestTellApart(t *testing.T) {
	for pair, want := range map[string][2]string{
		"crd:old..crd:new":                                  {},
		"crd:a/old/..crd:b/new":                             {},
		"crd:old/crd..crd:new/crd/":                         {"old/crd", "new/crd"},
		"crd:op/old/config/crd..crd:op/new/config/crd":      {"old/config/crd", "new/config/crd"},
		"crd:crd..crd:../new/crd":                           {"", "new/crd"},
		"crd:./crd..crd:crd":                                {},
		"crd:example.dev/op@v1.0.0//crd..v1.1.0":            {},
		"kube-apiserver@v1.36.3..kube-apiserver@v1.37.0":    {},
		"crd:example.dev/op@v1.0.0//config/crd..crd:my/crd": {},
	} {
		old, new, err := servers.ParsePair(pair)
		if got := [2]string{old.Manifests.Name, new.Manifests.Name}; err != nil || got != want {
			t.Errorf("%s: got %q, want %q: %v", pair, got, want, err)
		}
	}
	all, err := servers.ParseThrough("crd:a/crd,crd:b/crd,crd:c/crds")
	if err != nil || all[0].Manifests.Name != "a/crd" || all[1].Manifests.Name != "b/crd" || all[2].Manifests.Name != "" {
		t.Errorf("got %+v: %v", all, err)
	}
}
