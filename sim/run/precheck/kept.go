package precheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/skewsim/skewsim/servers"
)

func readDescription(file string) (*selfDescription, bool) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, false
	}
	var p selfDescription
	if json.Unmarshal(raw, &p) != nil || p.Form != ProbeForm || p.Version == "" {
		return nil, false
	}
	return &p, true
}

func keepDescription(file string, raw []byte) error {
	if file == "" {
		return nil
	}
	// Two runs may write the same probe: each writes the whole file, and the last one wins
	// with equal content.
	if err := servers.Keep(file, raw); err != nil {
		return fmt.Errorf("keep a probe: %w", err)
	}
	return nil
}

// ErrNotKept reports that no earlier run has kept a probe.
var ErrNotKept = errors.New("nothing is kept of an earlier run")
