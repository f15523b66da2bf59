package statuscode

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCodes: a refusal is a decision, and so is an internal error of a server that is well; the others say that the
// server is busy.
func TestCodes(t *testing.T) {
	for code, want := range map[int][2]bool{ // busy, perhaps the last
		http.StatusOK:                  {false, false},
		http.StatusForbidden:           {false, false},
		http.StatusNotFound:            {false, false},
		http.StatusConflict:            {false, false},
		http.StatusUnprocessableEntity: {false, false},
		http.StatusRequestTimeout:      {true, false},
		http.StatusTooManyRequests:     {true, true},
		http.StatusInternalServerError: {false, true},
		http.StatusBadGateway:          {true, true},
		http.StatusServiceUnavailable:  {true, true},
		http.StatusGatewayTimeout:      {true, true},
	} {
		assert.Equal(t, want, [2]bool{Busy(code), MayBeLast(code)}, code)
	}
}
