package apiserver

import (
	"bufio"
	"context"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// metricsBytes bounds how much of a server's metrics is read.
const metricsBytes = 16 << 20

var (
	requestTotal = regexp.MustCompile(`^apiserver_request_total\{(.*)\} (\d+)$`)
	label        = regexp.MustCompile(`(\w+)="([^"]*)"`)
)

// awaited returns which of the collections that the server cannot list its informers ask for: others than skewsim,
// which has sent so many LISTs of each, had a LIST or WATCH of the whole collection refused. Of kinds that no
// informer asks for, the server is ready without them. If the metrics do not show it, it returns all.
func (s *server) awaited(ctx context.Context, unread []string, own int) []string {
	code, body, err := s.read(ctx, "/metrics", metricsBytes)
	if err != nil || code != http.StatusOK {
		return unread
	}
	refused := map[string]int{}
	for lines := bufio.NewScanner(strings.NewReader(body)); lines.Scan(); {
		if m := requestTotal.FindStringSubmatch(lines.Text()); m != nil {
			count(refused, m[1], m[2])
		}
	}
	asked := slices.DeleteFunc(slices.Clone(unread), func(path string) bool { return refused[path] <= own })
	if len(asked) == 0 {
		return unread
	}
	return asked
}

// count adds the requests of a line of apiserver_request_total to the whole collection that they were about, if they
// were refused.
func count(refused map[string]int, labels, requests string) {
	of := map[string]string{}
	for _, l := range label.FindAllStringSubmatch(labels, -1) {
		of[l[1]] = l[2]
	}
	code, _ := strconv.Atoi(of["code"])
	n, err := strconv.Atoi(requests)
	if err != nil || code < http.StatusBadRequest || of["scope"] != "cluster" || of["subresource"] != "" || of["verb"] != "LIST" && of["verb"] != "WATCH" {
		return
	}
	path := "/apis/" + of["group"]
	if of["group"] == "" {
		path = "/api"
	}
	refused[path+"/"+of["version"]+"/"+of["resource"]] += n
}
