package frobberapiserver

import (
	"testing"

	"github.com/skewsim/skewsim/servers"
)

// TestMissing: every release that there is not is named at once, beside all that
// there are, uncut.
func TestMissing(t *testing.T) {
	list := "1.0\n1.1 1.1+null 1.1+required\n1.2\n1.30\n"
	refs := func(text string) []servers.Reference {
		all, err := servers.ParseThrough(text)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	for _, text := range []string{"frobber@1.0,1.1+required,1.30", "kube-apiserver@v1.36.3,path:x"} {
		if err := missing(list, refs(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	err := missing(list, refs("frobber@1.1,1.1+requird,1.31"))
	want := "frobber@1.1+requird, frobber@1.31: not on the train (releases: 1.0, 1.1, 1.2, 1.30; their twins: frobber-apiserver releases)"
	if err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}
