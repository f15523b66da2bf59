package servers_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/skewsim/skewsim/servers"
)

func release(version string) servers.Reference {
	return servers.Reference{Scheme: servers.SchemeRelease, Component: "kube-apiserver", Version: version}
}

func path(file string) servers.Reference {
	return servers.Reference{Scheme: servers.SchemePath, Path: file}
}

func TestParseReference(t *testing.T) {
	for _, c := range []struct {
		text, err string
		want      servers.Reference
	}{
		{text: "kube-apiserver@v1.36.3", want: release("v1.36.3")},
		{text: "kube-apiserver@v1.37.0-rc.1", want: release("v1.37.0-rc.1")},
		{text: "path:./_output/bin/kube-apiserver", want: path("./_output/bin/kube-apiserver")},
		{text: "path:/a b/c@d", want: path("/a b/c@d")},
		{text: "path:", err: `reference "path:": no file named; want path:FILE`},
		{text: "", err: `reference "": not understood (supported: kube-apiserver@vX.Y.Z, path:FILE)`},
		{text: "v1.36.3", err: `reference "v1.36.3": not understood (supported: kube-apiserver@vX.Y.Z, path:FILE)`},
		{text: "etcd@v3.6.0", err: `reference "etcd@v3.6.0": not understood (supported: kube-apiserver@vX.Y.Z, path:FILE)`},
		{text: "kube-apiserver@", err: `reference "kube-apiserver@": version "": want vX.Y.Z, such as v1.36.3`},
		{text: "kube-apiserver@latest", err: `reference "kube-apiserver@latest": version "latest": want vX.Y.Z, such as v1.36.3`},
		{text: "frobber@1.3", err: `reference "frobber@1.3": frobber@ is not supported yet (supported: kube-apiserver@vX.Y.Z, path:FILE)`},
		{text: "source:../kubernetes", err: `reference "source:../kubernetes": source: is not supported yet (supported: kube-apiserver@vX.Y.Z, path:FILE)`},
		{text: "image:kube-apiserver:v1.36.3", err: `reference "image:kube-apiserver:v1.36.3": image: is not supported yet (supported: kube-apiserver@vX.Y.Z, path:FILE)`},
		{text: "module:example.org/x", err: `reference "module:example.org/x": module: is not supported yet (supported: kube-apiserver@vX.Y.Z, path:FILE)`},
	} {
		got, err := servers.ParseReference(c.text)
		checkError(t, c.text, err, c.err)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
		if err == nil && got.String() != c.text {
			t.Errorf("%q: written again as %q", c.text, got)
		}
	}
}

func TestParsePair(t *testing.T) {
	const want = "want OLD..NEW, such as kube-apiserver@v1.36.3..v1.37.0 or path:a..path:b"
	for _, c := range []struct {
		text, err string
		old, new  servers.Reference
	}{
		{text: "kube-apiserver@v1.36.3..v1.37.0", old: release("v1.36.3"), new: release("v1.37.0")},
		{text: "kube-apiserver@v1.36.3..kube-apiserver@v1.37.0", old: release("v1.36.3"), new: release("v1.37.0")},
		{text: "path:a..path:b", old: path("a"), new: path("b")},
		{text: "path:../a..path:../b", old: path("../a"), new: path("../b")},
		{text: "kube-apiserver@v1.36.3..path:./x", old: release("v1.36.3"), new: path("./x")},
		{text: "path:./x..kube-apiserver@v1.37.0", old: path("./x"), new: release("v1.37.0")},
		{text: "kube-apiserver@v1.36.3", err: `pair "kube-apiserver@v1.36.3": ` + want},
		{text: "", err: `pair "": ` + want},
		{text: "..v1.37.0", err: `pair "..v1.37.0": ` + want},
		{text: "kube-apiserver@v1.36.3..", err: `pair "kube-apiserver@v1.36.3..": ` + want},
		{text: "path:a..path:b..path:c", err: `pair "path:a..path:b..path:c": ` + want},
		{text: "v1.36.3..v1.37.0", err: `pair "v1.36.3..v1.37.0": reference "v1.36.3": not understood (supported: kube-apiserver@vX.Y.Z, path:FILE)`},
		{text: "path:a..v1.37.0", err: `pair "path:a..v1.37.0": reference "v1.37.0": not understood (supported: kube-apiserver@vX.Y.Z, path:FILE)`},
		{text: "kube-apiserver@v1.36.3..image:x", err: `pair "kube-apiserver@v1.36.3..image:x": reference "image:x": image: is not supported yet (supported: kube-apiserver@vX.Y.Z, path:FILE)`},
	} {
		old, new, err := servers.ParsePair(c.text)
		checkError(t, c.text, err, c.err)
		if diff := cmp.Diff([]servers.Reference{c.old, c.new}, []servers.Reference{old, new}); diff != "" {
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
