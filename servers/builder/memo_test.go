package builder

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/fault"
)

// TestOnce: a caller whose build exists does not wait for one in progress.
func TestOnce(t *testing.T) {
	m, all := &memo{}, map[string]int{"there": 1}
	began, end := make(chan struct{}), make(chan struct{})
	made := make(chan int, 2)
	for range 2 {
		go func() {
			v, _ := once(m, &all, "slow", func() (int, error) {
				close(began) // a second time would panic
				<-end
				return 2, nil
			})
			made <- v
		}()
	}
	<-began
	v, err := once(m, &all, "there", func() (int, error) { return 0, context.Canceled })
	require.NoError(t, err)
	assert.Equal(t, 1, v)
	close(end)
	assert.Equal(t, []int{2, 2}, []int{<-made, <-made})
}

// TestGiveUp: a failed build is retried until it is given up, and then for nobody; a build that
// succeeded meanwhile, or was only interrupted, is not given up.
func TestGiveUp(t *testing.T) {
	b := New(Config{})
	made, asked := map[string]int{}, 0
	get := func(key string, err error) error {
		_, err = once(b.memo, &made, key, func() (int, error) { asked++; return asked, err })
		return err
	}
	full := fmt.Errorf("go build: %w\ngo said more", build.ErrDiskFull)
	for range 3 {
		assert.Equal(t, full, get("full", full))
	}
	require.Error(t, get("late", full))
	require.NoError(t, get("late", nil))
	require.Error(t, get("ended", fmt.Errorf("go list: %w", context.Canceled)))
	gone := fault.Wrap(fault.Unavailable, errors.New("v1.37.0 is not available"))
	require.Equal(t, gone, get("gone", gone))
	assert.Equal(t, 7, asked)

	assert.Equal(t, []error{full}, b.GiveUp())
	assert.Empty(t, b.GiveUp(), "each once")
	for _, key := range []string{"full", "gone"} {
		assert.True(t, fault.Of(get(key, nil)).Final)
	}
	assert.ErrorIs(t, get("full", nil), build.ErrDiskFull)
	assert.Equal(t, 7, asked)
	require.NoError(t, get("ended", nil))
	assert.Equal(t, 8, asked)
}
