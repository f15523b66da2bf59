package screen

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestBuilds: each line below the build that says it; on a terminal one line of what is
// under way, which leaves nothing behind.
func TestBuilds(t *testing.T) {
	var out bytes.Buffer
	b := NewBuilds(&out)
	one, two := b.Row("one"), b.Row("two")
	progress := NewBuild(one, "one")
	progress.Phase("compiling one")
	_, _ = two.Write([]byte("two: built\npart"))
	_, _ = two.Write([]byte("ly\n"))
	progress.Packages(1, 9)
	one.last = one.last.Add(-pulse)
	progress.Packages(2, 9)
	b.Print("skewsim: x")
	assert.Equal(t, "one: compiling one\ntwo: built\ntwo: partly\none: 2 of 9 packages compiled after 0s\nskewsim: x\n", out.String())

	out.Reset()
	b = &Builds{w: &out, foot: &foot{w: &out, size: func() (int, int) { return 30, 24 }}}
	one, two = b.Row("one"), b.Row("two")
	one.packages(1, 9)
	two.packages(9, 9)
	b.Print("skewsim: x")
	one.End()
	b.Row("a name that is longer than the terminal is wide").packages(1, 2)
	b.Close()
	const up, erase, end = "\r\x1b[1A", "\x1b[J", "\x1b[K\n"
	assert.Equal(t, "one 1/9"+end+up+"one 1/9 · two linking"+end+up+erase+"skewsim: x\none 1/9 · two linking"+end+up+"two linking"+end+
		up+"two linking · a name that is…"+end+up+erase, out.String())
}
