package term

// EncryptionProvider is how servers encrypt what they store.
type EncryptionProvider string

// The providers that take a key of their own, and no service beside the server.
const (
	AESCBC EncryptionProvider = "aescbc"
	AESGCM EncryptionProvider = "aesgcm"
	XSalsa EncryptionProvider = "secretbox"
)

// EncryptionProviders lists every EncryptionProvider.
func EncryptionProviders() List[EncryptionProvider] {
	return List[EncryptionProvider]{
		{AESCBC, "AES in CBC mode"},
		{AESGCM, "AES in GCM mode"},
		{XSalsa, "XSalsa20 and Poly1305"},
	}
}
