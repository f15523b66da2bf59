package builder

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// ParseAge reads an age in days, such as 30d, or as time.ParseDuration does. It refuses ages
// that are not positive.
func ParseAge(text string) (time.Duration, error) {
	age, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		if n, err = strconv.Atoi(days); n > 100*365 {
			err = strconv.ErrRange
		}
		age = time.Duration(n) * 24 * time.Hour
	}
	if err == nil && age <= 0 {
		err = strconv.ErrRange
	}
	return age, err
}

// ParseSize reads a size in bytes. 20GB and 20GiB are both 20 * 2^30 bytes, so that the sizes
// that skewsim builds list shows add up.
func ParseSize(text string) (int64, error) {
	match := regexp.MustCompile(`^([0-9]{1,6})\s*([KMGT])i?B?$`).FindStringSubmatch(text)
	if match == nil {
		return 0, strconv.ErrSyntax
	}
	n, err := strconv.ParseInt(match[1], 10, 64)
	if err == nil && n == 0 {
		err = strconv.ErrRange
	}
	return n << (10 * (1 + strings.Index("KMGT", match[2]))), err
}
