package storage

// unknown is the message in which apimachinery's protobuf serializer wraps
// every object, runtime.Unknown. It is read here, not by apimachinery, for
// that copies what is inside: of envelopes in envelopes, again at each level.
type unknown struct {
	apiVersion, kind string
	raw              []byte
	contentEncoding  string
}

// readUnknown reads the envelope. Fields that it does not know it passes over,
// as apimachinery does.
func readUnknown(message []byte) (unknown, bool) {
	var u unknown
	ok := eachField(message, func(f Field) bool {
		switch f.ID {
		case 1:
			return f.Wire == Length && u.readType(f.Bytes)
		case 2:
			u.raw = f.Bytes
		case 3:
			u.contentEncoding = string(f.Bytes)
		}
		return f.ID > 4 || f.Wire == Length
	})
	return u, ok
}

func (u *unknown) readType(message []byte) bool {
	return eachField(message, func(f Field) bool {
		switch f.ID {
		case 1:
			u.apiVersion = string(f.Bytes)
		case 2:
			u.kind = string(f.Bytes)
		}
		return f.ID > 2 || f.Wire == Length
	})
}

// eachField calls take for each field, and reports whether it was a message, and take accepted
// all fields.
func eachField(message []byte, take func(Field) bool) bool {
	for len(message) > 0 {
		f, size, ok := cutField(message)
		if !ok || !take(f) {
			return false
		}
		message = message[size:]
	}
	return true
}
