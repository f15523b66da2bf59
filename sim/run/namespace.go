package run

import (
	"fmt"
	"net/http"

	"github.com/skewsim/skewsim/sim/client"
)

// coreAPI is where a server has namespaces, if it has any.
const coreAPI = "/api/v1"

// createNamespace returns the request that creates the namespace of the run's objects.
func (n *names) createNamespace() client.Request {
	return client.Request{
		Method: http.MethodPost, Path: coreAPI + "/namespaces", ContentType: client.JSONContent,
		Body: fmt.Appendf(nil, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`, n.plan.Namespace),
	}
}
