package main

import (
	"os"
	"runtime/debug"
)

// CollectWithin has garbage collected when it is that many percent of what is used, and earlier near the
// limit in bytes. Whoever sets GOGC or GOMEMLIMIT has decided otherwise.
func CollectWithin(percent int, limit int64) {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}
