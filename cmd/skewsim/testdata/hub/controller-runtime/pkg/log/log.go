// Package log has what a generated program calls of controller-runtime's package of this name.
package log

import (
	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

// SetLogger sets the logger of klog.
func SetLogger(l logr.Logger) { klog.SetLogger(l) }
