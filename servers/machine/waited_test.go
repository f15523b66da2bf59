package machine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestWaited: the time that some task waited is read; a machine that does not say it has waited for nothing.
func TestWaited(t *testing.T) {
	for pressure, want := range map[string]time.Duration{
		"some avg10=97.79 avg60=96.67 avg300=96.94 total=5024113964\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n": 5024113964 * time.Microsecond,
		"full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n":                                                             0,
		"some avg10=97.79": 0,
		"":                 0,
	} {
		assert.Equal(t, want, waited(pressure), pressure)
	}
}
