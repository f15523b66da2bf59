package serverflags

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestOtherRange: the object that has the range agrees with a flag that has its range first; other objects are not
// asked.
func TestOtherRange(t *testing.T) {
	object := func(name, ranges string) []byte {
		return fmt.Appendf(nil, `{"kind":"ServiceCIDR","metadata":{"name":%q},"spec":{"cidrs":%s}}`, name, ranges)
	}
	for ranges, want := range map[string]string{
		`["10.96.0.0/16"]`: "", `["10.96.0.0/16","fd00::/108"]`: "", `["10.97.0.0/16"]`: ".spec.cidrs", `["fd00::/108","10.96.0.0/16"]`: ".spec.cidrs", `[]`: "",
	} {
		assert.Equal(t, want, OtherRange("10.96.0.0/16, fd00::/108", object("kubernetes", ranges)), ranges)
	}
	assert.Empty(t, OtherRange("10.96.0.0/16", object("more", `["10.97.0.0/16"]`)))
}
