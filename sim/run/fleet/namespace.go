package fleet

import (
	"fmt"
	"net/http"

	"github.com/skewsim/skewsim/sim/client"
)

// CoreAPI is the path where a server has namespaces, if it has any.
const CoreAPI = "/api/v1"

// CreateNamespace returns the request that creates the namespace of the run's objects.
func (n *names) CreateNamespace() client.Request {
	return client.Request{
		Method: http.MethodPost, Path: CoreAPI + "/namespaces", ContentType: client.JSONContent,
		Body: fmt.Appendf(nil, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`, n.Plan.Namespace),
	}
}
