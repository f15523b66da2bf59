package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestAgo(t *testing.T) {
	now := time.Now()
	for past, want := range map[time.Duration]string{0: "0s", -time.Hour: "0s", 59 * time.Second: "59s", 90 * time.Second: "1m", 47 * time.Hour: "47h", 48 * time.Hour: "2d"} {
		assert.Equal(t, want, ago(now, now.Add(-past)), past.String())
	}
}
