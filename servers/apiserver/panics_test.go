package apiserver

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// twoGoroutines is what a kube-apiserver logs of a panic in the goroutine that validates.
const twoGoroutines = `E1122 20:56:25.606263   22839 timeout.go:121] "Observed a panic" panic=<
	runtime error: invalid memory address or nil pointer dereference
	goroutine 4913 [running]:
	k8s.io/apiserver/pkg/endpoints/handlers/finisher.finishRequest.func1.1()
		k8s.io/apiserver@v0.37.0/pkg/endpoints/handlers/finisher/finisher.go:105 +0xa5
	panic({0x3d84260?, 0x74f6f70?})
		runtime/panic.go:860 +0x13a
	runtime.sigpanic()
		runtime/signal_unix.go:900 +0x1
	example.com/batch/validation.(*rules).validate(0x14917c082530, {0x0, ...})
		example.com/batch@v1.37.0/validation.go:462 +0x2b3
	goroutine 4900 [running]:
	panic({0x3af6b80?, 0x1491822b3c30?})
		runtime/panic.go:860 +0x13a
	other.function()
		other/file.go:1 +0x1
 >
`

const oneLine = `E1122 20:56:25.700000   22839 timeout.go:121] "Observed a panic" panic="index out of range [3] \"x\"" panicGoexit=false stacktrace=<
	goroutine 77 [running]:
	k8s.io/apimachinery/pkg/util/runtime.logPanic({0x1, 0x2}, {0x3, 0x4})
		k8s.io/apimachinery@v0.37.0/pkg/util/runtime/runtime.go:132 +0xbc
	panic({0x3d84260?, 0x74f6f70?})
		runtime/panic.go:860 +0x13a
	example.com/convert.Down(...)
		/home/me/convert.go:9
 >
`

func panicked(id string) string {
	return fmt.Sprintf("E1122 20:56:25.606436   22839 wrap.go:57] \"apiserver panic'd\" method=\"POST\" URI=\"/x\" auditID=%q\n", id)
}

// TestPanicIn: a request's panic is found by its audit ID, with the function that panicked
// and not the one that passed it on; of a request that did not panic nothing is said.
func TestPanicIn(t *testing.T) {
	first := &servers.Panic{
		Value:    "runtime error: invalid memory address or nil pointer dereference",
		Function: "example.com/batch/validation.(*rules).validate", Line: "example.com/batch@v1.37.0/validation.go:462",
	}
	second := &servers.Panic{Value: `index out of range [3] "x"`, Function: "example.com/convert.Down", Line: "example.com/convert/convert.go:9"}
	const other = "I1122 20:56:25.606264   22839 x.go:1] \"words\" auditID=\"b\"\nhttp2: panic serving 127.0.0.1:1\npanic({0x1})\n"
	for name, c := range map[string]struct {
		log, id string
		want    *servers.Panic
	}{
		"its own":                       {twoGoroutines + panicked("a"), "a", first},
		"after another's":               {twoGoroutines + panicked("a") + other + oneLine + panicked("b"), "b", second},
		"before another's":              {twoGoroutines + panicked("a") + other + oneLine + panicked("b"), "a", first},
		"no stack":                      {panicked("a"), "a", &servers.Panic{Value: "the log does not contain the value"}},
		"another request panicked":      {twoGoroutines + panicked("a") + other, "b", nil},
		"a panic that no request made":  {twoGoroutines + other, "a", nil},
		"nothing in the log":            {"", "a", nil},
		"a stack that the log cuts off": {twoGoroutines[:200] + "\n" + panicked("a"), "a", &servers.Panic{Value: first.Value}},
	} {
		assert.Equal(t, c.want, panicIn(c.log, c.id), name)
	}
}

// TestLogEnd: of a long log the end alone is searched.
func TestLogEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat("x", 100)+"end"), 0o600))
	assert.Equal(t, "end", logEnd(file, 3))
	assert.Len(t, logEnd(file, 1000), 103)
	assert.Empty(t, logEnd(file+"-none", 3))
}
