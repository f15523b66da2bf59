package serverflags

import (
	"encoding/json"
	"slices"
	"strings"
)

// OtherRange returns where an object that has the range of Services, the ServiceCIDR kubernetes, has another range
// than --service-cluster-ip-range; "" if both agree. A server adds the second range of the flag to the first one.
func OtherRange(flag string, object []byte) string {
	var o struct {
		Kind     string
		Metadata struct{ Name string }
		Spec     struct{ CIDRs []string }
	}
	if json.Unmarshal(object, &o) != nil || o.Kind != "ServiceCIDR" || o.Metadata.Name != "kubernetes" || len(o.Spec.CIDRs) == 0 {
		return ""
	}
	ranges := strings.Split(flag, ",")
	for i := range ranges {
		ranges[i] = strings.TrimSpace(ranges[i])
	}
	if slices.Equal(o.Spec.CIDRs, ranges) || len(o.Spec.CIDRs) == 1 && o.Spec.CIDRs[0] == ranges[0] {
		return ""
	}
	return ".spec.cidrs"
}
