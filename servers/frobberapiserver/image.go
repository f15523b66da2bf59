package frobberapiserver

import (
	"fmt"
	"regexp"

	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/container"
)

// InImages is the reference server as images hold it.
func InImages() container.Program {
	return container.Program{File: binary, Component: component, Version: parseVersion}
}

// parseVersion reads what --version prints.
func parseVersion(answer string) (string, error) {
	match := regexp.MustCompile(`^Frobber (v[0-9]+\.[0-9]+\.[0-9]+\S*)\s*$`).FindStringSubmatch(answer)
	if match == nil {
		return "", fmt.Errorf("--version printed %q, want \"Frobber vX.Y.Z\"", apiserver.FirstLine(answer))
	}
	return match[1], nil
}
