package statuscode

import "net/http"

// Busy reports whether the same request may be answered soon: the server had no time for it, or what stands
// before the server had none. An internal error (500) is the answer to one object.
func Busy(code int) bool {
	switch code {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// MayBeLast reports whether an answer may be that of a server which is ending, is overloaded or has lost its
// store. Beside a server that is well it is an answer like any other.
func MayBeLast(code int) bool {
	return code == http.StatusTooManyRequests || code >= http.StatusInternalServerError
}
