// The operator of Widgets: it converts them between v1, v2 and v3, by way of v2, fills in their shape
// where it is unset, and refuses an extent that is negative. A mistake is made on purpose, as a flag says.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// parked is the annotation that keeps what v1 has no field for.
const parked = "operator.example.dev/parked"

var (
	port    = flag.Int("port", 0, "the port of 127.0.0.1")
	certDir = flag.String("cert-dir", "", "the directory of tls.crt and tls.key")
	mistake = flag.String("mistake", "", "what to do wrong")
)

type object = map[string]any

func main() {
	flag.Parse()
	if *mistake == "ends-at-once" {
		log.Fatal("no licence")
	}
	http.HandleFunc("/convert", serve)
	http.HandleFunc("/mutate", func(w http.ResponseWriter, r *http.Request) { admit(w, r, fill) })
	http.HandleFunc("/validate", func(w http.ResponseWriter, r *http.Request) { admit(w, r, judge) })
	if *mistake == "no-path" {
		http.DefaultServeMux = http.NewServeMux()
	}
	server := http.Server{Addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(*port)), ReadHeaderTimeout: time.Minute}
	if *mistake == "listens-on-all" {
		server.Addr = ":" + strconv.Itoa(*port)
	}
	log.Fatal(server.ListenAndServeTLS(filepath.Join(*certDir, "tls.crt"), filepath.Join(*certDir, "tls.key")))
}

func serve(w http.ResponseWriter, r *http.Request) {
	var review struct {
		APIVersion string  `json:"apiVersion"`
		Kind       string  `json:"kind"`
		Request    *object `json:"request,omitempty"`
		Response   object  `json:"response"`
	}
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil || review.Request == nil {
		http.Error(w, "no review", http.StatusBadRequest)
		return
	}
	asked := *review.Request
	result, converted := object{"status": "Success"}, []any{}
	objects, _ := asked["objects"].([]any)
	for _, o := range objects {
		is, err := convert(o.(object), asked["desiredAPIVersion"].(string))
		if err != nil {
			result = object{"status": "Failure", "message": err.Error()}
		}
		converted = append(converted, is)
	}
	uid := asked["uid"]
	switch {
	case *mistake == "another-review":
		uid = "another"
	case *mistake == "too-few" && len(converted) > 0:
		converted = converted[1:]
	case *mistake == "exits" && len(converted) > 0:
		log.Fatal("out of luck")
	}
	review.Request, review.Response = nil, object{"uid": uid, "result": result, "convertedObjects": converted}
	_ = json.NewEncoder(w).Encode(review)
}

// admit answers an AdmissionReview.
func admit(w http.ResponseWriter, r *http.Request, do func(spec, response object)) {
	var review struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Request    struct {
			UID    string `json:"uid"`
			Object object `json:"object"`
		} `json:"request"`
	}
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, "no review", http.StatusBadRequest)
		return
	}
	response := object{"uid": review.Request.UID, "allowed": true}
	if spec, is := review.Request.Object["spec"].(object); is {
		do(spec, response)
	}
	_ = json.NewEncoder(w).Encode(object{"apiVersion": review.APIVersion, "kind": review.Kind, "response": response})
}

// fill sets what is unset.
func fill(spec, response object) {
	patch := []object{}
	if _, is := spec["shape"]; !is {
		patch = append(patch, object{"op": "add", "path": "/spec/shape", "value": "round"})
	}
	if _, is := spec["colour"]; is && *mistake == "overwrites" {
		patch = append(patch, object{"op": "add", "path": "/spec/colour", "value": "grey"})
	}
	if len(patch) > 0 {
		text, _ := json.Marshal(patch)
		response["patchType"], response["patch"] = "JSONPatch", text
	}
}

// judge refuses what is wrong.
func judge(spec, response object) {
	extent, _ := spec["extent"].(float64)
	shape, _ := spec["shape"].(string)
	if extent < 0 || *mistake == "refuses-new" && shape == "oval" {
		response["allowed"], response["status"] = false, object{"message": "spec is wrong"}
	}
	if *mistake == "slow" {
		time.Sleep(3 * time.Second)
	}
}

// convert converts an object to a version.
func convert(o object, desired string) (object, error) {
	_, from, _ := strings.Cut(o["apiVersion"].(string), "/")
	_, to, _ := strings.Cut(desired, "/")
	if *mistake == "knows-no-v3" && (from == "v3" || to == "v3") {
		return nil, fmt.Errorf("version v3 is not known")
	}
	spec, _ := o["spec"].(object)
	if _, is := spec["colour"]; !is && spec["place"] == nil && *mistake == "needs-optional" {
		return nil, fmt.Errorf("spec.colour: required")
	}
	if spec != nil {
		for version, do := range map[string]func(o, spec object){from: toHub[from], to: fromHub[to]} {
			if do == nil && version != "v2" {
				return nil, fmt.Errorf("version %q is not known", version)
			}
		}
		if do := toHub[from]; do != nil {
			do(o, spec)
		}
		mistakes(o, spec)
		if do := fromHub[to]; do != nil {
			do(o, spec)
		}
	}
	if *mistake != "wrong-api-version" {
		o["apiVersion"] = desired
	}
	return o, nil
}

// mistakes changes the hub's form as no conversion should.
func mistakes(o, spec object) {
	switch *mistake {
	case "panics":
		_ = spec["colour"].(string)[0] // which is optional
	case "drops-annotations":
		delete(o["metadata"].(object), "annotations")
	case "reorders":
		if tags, _ := spec["tags"].([]any); len(tags) > 1 {
			slices.Reverse(tags)
		}
	case "not-idempotent":
		if n, is := spec["extent"].(float64); is {
			spec["extent"] = n + 1
		}
	}
}

var toHub = map[string]func(o, spec object){
	"v1": func(o, spec object) {
		move(spec, "size", "extent")
		if place, is := spec["place"].(string); is {
			delete(spec, "place")
			floor, room, hasRoom := strings.Cut(place, "/")
			if floor != "" {
				spec["floor"] = floor
			}
			if hasRoom {
				spec["room"] = room
			}
		}
		annotations, _ := o["metadata"].(object)["annotations"].(object)
		var kept object
		if text, is := annotations[parked].(string); is && json.Unmarshal([]byte(text), &kept) == nil {
			delete(annotations, parked)
			for name, value := range kept {
				spec[name] = value
			}
		}
	},
	"v3": func(_, spec object) {
		if location, is := spec["location"].(object); is {
			delete(spec, "location")
			for name, value := range location {
				spec[name] = value
			}
		}
	},
}

var fromHub = map[string]func(o, spec object){
	"v1": func(o, spec object) {
		move(spec, "extent", "size")
		floor, isFloor := spec["floor"].(string)
		room, isRoom := spec["room"].(string)
		if isRoom {
			spec["place"] = floor + "/" + room
		} else if isFloor {
			spec["place"] = floor
		}
		delete(spec, "floor")
		delete(spec, "room")
		kept := object{}
		for _, name := range []string{"colour", "tags"} {
			if value, is := spec[name]; is {
				kept[name] = value
				delete(spec, name)
			}
		}
		if value, is := kept["colour"]; is && value == nil && *mistake == "loses-null" {
			delete(kept, "tags")
		}
		if *mistake == "loses-field" {
			delete(kept, "colour")
		}
		if len(kept) == 0 {
			return
		}
		text, _ := json.Marshal(kept)
		meta := o["metadata"].(object)
		annotations, _ := meta["annotations"].(object)
		if annotations == nil {
			annotations = object{}
			meta["annotations"] = annotations
		}
		annotations[parked] = string(text)
	},
	"v3": func(_, spec object) {
		location := object{}
		for _, name := range []string{"floor", "room"} {
			if value, is := spec[name]; is {
				location[name] = value
				delete(spec, name)
			}
		}
		if len(location) > 0 {
			spec["location"] = location
		}
	},
}

func move(spec object, from, to string) {
	if value, is := spec[from]; is {
		delete(spec, from)
		spec[to] = value
	}
}
