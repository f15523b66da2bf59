package apiserver

import "testing"

// TestAgainstFile: a file gives what changes the API's behaviour, of a release that knows
// it, and nothing that reaches a file, a program or an address; the command line may.
func TestAgainstFile(t *testing.T) {
	c := fake()
	c.Behaviour = And(Behaviour(), map[string]string{"young": "1.33", "taken": ""})
	c.Names = map[string]string{"etcd-servers": "taken"}
	for flag, want := range map[string]struct{ file, user bool }{
		"--storage-media-type=application/yaml": {true, true}, "--storage_media_type=application/yaml": {true, true}, "--v=2": {true, true},
		"--audit-log-path=/tmp/x": {false, true}, "--audit_log_path=x": {false, true}, "--audit-webhook-config-file=x": {false, true},
		"--tracing-config-file=x": {false, true}, "--kubelet-client-certificate=x": {false, true}, "--unheard-of": {false, true},
		"--of=1": {false, false}, "--etcd-servers=x": {false, false}, "--taken=x": {false, false}, "-v=2": {false, false}, "v": {false, false}, "": {false, false},
	} {
		if got := c.AgainstFile(flag, "v1.37.0"); (got == "") != want.file {
			t.Errorf("of a file: %s: %q", flag, got)
		}
		if got := c.Against(flag); (got == "") != want.user {
			t.Errorf("of a user: %s: %q", flag, got)
		}
	}
	for release, knows := range map[string]bool{"v1.32.13": false, "v1.33.0": true, "v1.33.0-rc.1": true, "v1.37.0": true, "": true, "v1.36": true} {
		if got := c.AgainstFile("--young", release); (got == "") != knows {
			t.Errorf("of %q: %q", release, got)
		}
	}
}
