package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

func readPortrait(file string) (*selfPortrait, bool) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, false
	}
	var p selfPortrait
	if json.Unmarshal(raw, &p) != nil || p.Form != probeForm || p.Version == "" {
		return nil, false
	}
	return &p, true
}

func keepPortrait(file string, raw []byte) error {
	if file == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("keep a probe: %w", err)
	}
	// Two runs may write the same probe: each writes its own file whole, and
	// the last rename wins with equal content.
	temporary, err := os.CreateTemp(filepath.Dir(file), "probe-*")
	if err != nil {
		return fmt.Errorf("keep a probe: %w", err)
	}
	_, err = temporary.Write(raw)
	err = errors.Join(err, temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), file)
	}
	if err != nil {
		os.Remove(temporary.Name())
		return fmt.Errorf("keep a probe: %w", err)
	}
	return nil
}
