package schema

import (
	"fmt"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// The bounds of a document: ten times the largest that kube-apiserver
// publishes, which has 1.6 MB and ten thousand objects. Reading takes a
// thousand times the memory of an empty object's two bytes, and the square of
// the depth, so what is hostile is refused before it is read.
const (
	// MaxDocument is the most bytes of a document that Parse reads.
	MaxDocument = 16 << 20

	maxObjects = 200_000
	maxNesting = 2000
)

// CheckBounds refuses a document that would take too much to read.
func CheckBounds(document []byte) error {
	if len(document) > MaxDocument {
		return fmt.Errorf("openapi: the document has %d bytes, and at most %d are read", len(document), MaxDocument)
	}
	objects, nesting := measure(document)
	if objects > maxObjects {
		return fmt.Errorf("openapi: the document has %d objects, and at most %d are read", objects, maxObjects)
	}
	if nesting > maxNesting {
		return fmt.Errorf("openapi: the document is nested %d deep, and at most %d is read", nesting, maxNesting)
	}
	return nil
}

// measure counts a document's objects and how deep it is nested. What is no
// JSON it counts somehow: the decoder refuses that.
func measure(document []byte) (objects, nesting int) {
	depth, quoted := 0, false
	for i := 0; i < len(document); i++ {
		switch c := document[i]; {
		case quoted && c == '\\':
			i++ // what follows is no quote
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			if c == '{' {
				objects++
			}
			depth++
			nesting = max(nesting, depth)
		case c == '}', c == ']':
			depth--
		}
	}
	return objects, nesting
}

// maxText is how much text an object's paths may have in all, with what a leaf
// takes besides. A long name with many members below is repeated in the path of
// each: a MiB of object would be some hundred GiB. An object that etcd takes
// does not come near, unless it is made for that.
const (
	maxText  = 256 << 20
	leafSize = 128
)

// fits reserves room for a container's members, and reports whether there was enough. A
// container that does not fit becomes one leaf.
func (w *walker) fits(members int, at fieldpath.Path) bool {
	if len(at) > maxDepth {
		return false
	}
	need := members * (textSize(at) + leafSize)
	if need > w.room {
		return false
	}
	w.room -= need
	return true
}

// textSize is about how long a path's text is.
func textSize(p fieldpath.Path) int {
	size := 0
	for _, e := range p {
		size += 8
		switch {
		case e.FieldName != nil:
			size += len(*e.FieldName)
		case e.Key != nil:
			size += len(e.String())
		case e.Value != nil && (*e.Value).IsString():
			size += len((*e.Value).AsString())
		}
	}
	return size
}
