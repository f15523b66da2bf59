package view

import "fmt"

// Size formats a number of bytes.
func Size(n int) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f KiB", float64(n)/1024)
}

// Seconds formats a duration with its significant digits.
func Seconds(s float64) string {
	if s < 10 {
		return fmt.Sprintf("%.2f s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}

// ShortDigest returns the start of a digest, enough to distinguish builds.
func ShortDigest(digest string) string {
	const prefix, digits = "sha256:", 12
	if len(digest) > len(prefix) && digest[:len(prefix)] == prefix {
		digest = digest[len(prefix):]
	}
	return digest[:min(digits, len(digest))]
}
