package apiserver

import (
	"slices"
	"testing"
)

// TestRefusals covers the messages of kube-apiserver for flags that it refuses, and an
// executable that only lacks its store.
func TestRefusals(t *testing.T) {
	b := script(t, `case "$1" in
--help) echo "      --listed string   x"; exit 0;;
--listed) echo "Error: unknown flag: --listed" >&2;; # nobody asks
--gone) echo "Error: unknown flag: --gone" >&2;;
*Gate=*) echo 'E1121 run.go:72] "command failed" err="unrecognized feature gate: Gate"' >&2;;
*Locked=*) echo 'E1121 run.go:72] "command failed" err="cannot set feature gate Locked to false, feature is locked to true"' >&2;;
*Needs=*) echo 'E1121 run.go:72] "command failed" err="Needs is enabled, but depends on features that are disabled: [A B]"' >&2;;
*NoSuch*) echo 'E1121 run.go:72] "command failed" err="[--etcd-servers must be specified, enable-admission-plugins plugin \"NoSuch\" is unknown, unknown api groups a.example/v1,b.example/v1, service-account-issuer is a required flag]"' >&2;;
--silent) exit 0;;
*) echo 'E1121 run.go:72] "command failed" err="[--etcd-servers must be specified]"' >&2;;
esac; exit 1`)
	r, err := New(Config{Components: []Component{fake()}, Dir: t.TempDir(), LogDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for flag, want := range map[string][]string{
		"--gone":                              {"unknown flag: --gone"},
		"--feature-gates=Gate=true":           {"unrecognized feature gate: Gate"},
		"--feature-gates=Locked=false":        {"cannot set feature gate Locked to false, feature is locked to true"},
		"--feature-gates=Needs=true":          {"Needs is enabled, but depends on features that are disabled: [A B]"},
		"--enable-admission-plugins=NoSuch":   {`enable-admission-plugins plugin "NoSuch" is unknown`, "unknown api groups a.example/v1,b.example/v1"},
		"--known=1":                           nil,
		"--listed":                            nil,
		"--silent":                            nil,
		"--feature-gates=Known=true":          nil,
		"--enable-admission-plugins=Priority": nil,
	} {
		if got, err := r.Refusals(t.Context(), b, flag); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", flag, got, err, want)
		}
	}
}
