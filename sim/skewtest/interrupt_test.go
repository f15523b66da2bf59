package skewtest

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestInterrupt: an interrupt ends the runs of all tests, what begins after it fails, and a
// second one ends the process.
func TestInterrupt(t *testing.T) {
	c := exec.Command(os.Args[0], "-test.v", "-test.short", "-test.run", "^TestInterruptCases$")
	c.Env = append(os.Environ(), again+"=1")
	out, err := c.CombinedOutput()
	var ended *exec.ExitError
	require.True(t, errors.As(err, &ended), string(out))
	status, _ := ended.Sys().(syscall.WaitStatus)
	assert.Equal(t, syscall.SIGINT, status.Signal(), string(out))
	assert.Equal(t, 2, strings.Count(string(out), "skewtest: interrupted\n"), string(out))
}

// TestInterruptCases are the tests of TestInterrupt.
func TestInterruptCases(t *testing.T) {
	if os.Getenv(again) == "" {
		t.Skip("TestInterrupt runs it")
	}
	env := Start(t, Old("kube-apiserver@v1.36.3"), New("kube-apiserver@v1.37.0"))
	t.Run("runs", func(t *testing.T) {
		for range 2 { // batches at the same time
			defer handleInterrupts()()
		}
		ctx, stop := untilInterrupt(t.Context())
		defer stop()
		interrupt(t)
		<-ctx.Done()
		require.NoError(t, t.Context().Err())
	})
	t.Run("start", func(t *testing.T) { Start(t, Old("kube-apiserver@v1.36.3"), New("kube-apiserver@v1.37.0")) })
	t.Run("run-file", func(t *testing.T) { env.RunFile(t, "kubernetes/every-call") })
	interrupt(t)
	select {} // the process ends
}

func interrupt(t *testing.T) {
	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGINT))
}
