package shell_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/shell"
)

// TestQuote: a shell reads the word back as it was.
func TestQuote(t *testing.T) {
	for _, text := range []string{"", "frobber@1.2..1.3+forgets", "a b", "it's", "$(false)", "a;b", "*", "--x=\n"} {
		out, err := exec.Command("sh", "-c", "printf %s "+shell.Quote(text)).Output()
		require.NoError(t, err, text)
		assert.Equal(t, text, string(out))
	}
	assert.Equal(t, "out/add-field", shell.Quote("out/add-field"), "a plain word stays as it is")
}
