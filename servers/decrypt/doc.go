// Package decrypt reads values that a kube-apiserver encrypted before it stored them.
//
// Load reads the keys from the file of --encryption-provider-config, and Decrypt reads a value
// with them, by the transformers of k8s.io/apiserver. The providers aescbc, aesgcm, secretbox and
// identity are supported. A value of a KMS plugin, or of a key that the file does not have, is
// not an error: it is Missing, which names the provider and the key. Any key of the file reads
// any value that names it, whichever resources the file configures it for: an old key is often
// listed for fewer resources than it has encrypted.
//
// Keys stay in memory. No error, no String and no format verb shows them.
package decrypt
