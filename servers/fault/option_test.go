package fault_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers/fault"
)

// TestText: only the options that the maker of an error names are written differently, once
// each, whatever wraps the error.
func TestText(t *testing.T) {
	flag := func(option string) string { return "--" + option }
	orders := fault.Optionf("{orders} %d: leave {orders} out", 7)
	inner := fault.Optionf("{old-flags} %q: unknown", "{orders}")
	for want, err := range map[string]error{
		"orders 7":                          errors.New("orders 7"),
		"x: --orders 7: leave --orders out": fmt.Errorf("x: %w", fault.ByUser(orders)),
		"--orders 7: leave --orders out\n--orders 7: leave --orders out": errors.Join(orders, fmt.Errorf("%w", orders)),
		"--old-flags \"{orders}\": unknown":                              inner,
		"--pair: --old-flags \"{orders}\": unknown\nfile does not exist": errors.Join(fault.Optionf("{pair}: %w", inner), os.ErrNotExist),
	} {
		assert.Equal(t, want, fault.Text(err, flag))
	}
	assert.EqualError(t, orders, "orders 7: leave orders out")
	assert.ErrorIs(t, fault.Optionf("{out}: %w", os.ErrNotExist), os.ErrNotExist)
	assert.Equal(t, fault.User, fault.Of(fault.Optionf("{out}: %w", fault.ByUser(orders))).Kind)
}
