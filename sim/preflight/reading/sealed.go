package reading

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"io"
	"sync"
)

// key encrypts the files of this process: they hold what servers show of confidential objects. It is kept in
// memory alone, so that nobody reads a file that is left behind.
var key = sync.OnceValue(func() cipher.Block {
	random := make([]byte, 32)
	rand.Read(random) // never fails, see its documentation
	block, err := aes.NewCipher(random)
	if err != nil {
		panic(err) // of the length of the key, which is right
	}
	return block
})

// sealed encrypts what is written to it.
func sealed(w io.Writer) (io.Writer, error) {
	begin := make([]byte, aes.BlockSize)
	rand.Read(begin)
	_, err := w.Write(begin)
	return cipher.StreamWriter{S: cipher.NewCTR(key(), begin), W: w}, err
}

// opened decrypts what sealed has written.
func opened(r io.Reader) (io.Reader, error) {
	begin := make([]byte, aes.BlockSize)
	if _, err := io.ReadFull(r, begin); err != nil {
		return nil, err
	}
	return cipher.StreamReader{S: cipher.NewCTR(key(), begin), R: r}, nil
}
