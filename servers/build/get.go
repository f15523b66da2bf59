package build

import (
	"bufio"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

const (
	// maxBytes bounds a program: a kube-apiserver has some 130 MB.
	maxBytes = 1 << 30
	// maxBarren is how many requests may bring no new byte before a download fails.
	maxBarren = 3
)

// NotPublishedError reports that a mirror has no such program.
type NotPublishedError struct{ Address string }

// Error returns the address.
func (e *NotPublishedError) Error() string { return e.Address + ": not published" }

// ChecksumError reports that a program is not the published one.
type ChecksumError struct{ Address, Got, Want string }

// Error returns the two sums.
func (e *ChecksumError) Error() string {
	return fmt.Sprintf("%s: damaged: its checksum is %.12s, published is %.12s", e.Address, e.Got, e.Want)
}

// Get downloads a program to a file, which it creates or replaces, and returns the address.
// A download that breaks off is resumed where the server can do that, and restarted otherwise.
// The file's checksum is the published one: SHA-512, or SHA-256 of releases that have no other.
// say receives what is done; nil: nobody.
func (m *Mirror) Get(ctx context.Context, p Program, file string, say func(string)) (from string, err error) {
	if say == nil {
		say = func(string) {}
	}
	if err := m.known(); err != nil {
		return "", err
	}
	address := m.address(p)
	want, err := m.checksum(ctx, address)
	if err != nil {
		return "", m.fail(ctx, err)
	}
	say("downloading " + address)
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR|os.O_TRUNC, 0o600)
	if err != nil {
		return "", err
	}
	err = m.fill(ctx, f, address, want, say)
	return address, errors.Join(err, f.Close())
}

// sum is a published checksum.
type sum struct {
	hex string
	new func() hash.Hash
}

// checksum reads the published checksum of a program.
func (m *Mirror) checksum(ctx context.Context, address string) (sum, error) {
	for _, kind := range []struct {
		suffix string
		new    func() hash.Hash
	}{{".sha512", sha512.New}, {".sha256", sha256.New}} {
		text, err := m.text(ctx, address+kind.suffix)
		if missing := (*NotPublishedError)(nil); errors.As(err, &missing) {
			continue
		}
		if err != nil {
			return sum{}, err
		}
		digits, _, _ := strings.Cut(strings.TrimSpace(text), " ")
		digits = strings.ToLower(digits)
		if raw, err := hex.DecodeString(digits); err != nil || len(raw) != kind.new().Size() {
			return sum{}, fmt.Errorf("%s: %.20q is no checksum", address+kind.suffix, text)
		}
		return sum{digits, kind.new}, nil
	}
	return sum{}, &NotPublishedError{address}
}

// text reads a small file.
func (m *Mirror) text(ctx context.Context, address string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, m.answerWithin)
	defer cancel()
	response, err := m.request(ctx, address, nil)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", statusError(address, response)
	}
	const maxText = 4 << 10
	text, err := io.ReadAll(io.LimitReader(response.Body, maxText))
	return string(text), err
}

func (m *Mirror) request(ctx context.Context, address string, header http.Header) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		request.Header[name] = values
	}
	return m.client.Do(request)
}

func statusError(address string, r *http.Response) error {
	if r.StatusCode == http.StatusNotFound || r.StatusCode == http.StatusForbidden { // of a bucket without the file
		return &NotPublishedError{address}
	}
	return fmt.Errorf("%s: the server answered %s", address, r.Status)
}

// fill downloads until the file has the checksum.
func (m *Mirror) fill(ctx context.Context, f *os.File, address string, want sum, say func(string)) error {
	restarted := false
	barren, resume, most := 0, "", int64(0)
	for {
		before, err := f.Seek(0, io.SeekEnd)
		if err != nil {
			return err
		}
		var tag string
		tag, err = m.part(ctx, f, address, before, resume)
		size, seekErr := f.Seek(0, io.SeekEnd)
		if seekErr != nil {
			return seekErr
		}
		if err == nil {
			got, err := checksumOf(f, want.new())
			if err != nil {
				return err
			}
			if got == want.hex {
				return nil
			}
			if before == 0 || restarted { // it came in one piece, or for the second time
				return &ChecksumError{address, got, want.hex}
			}
			restarted, resume = true, ""
			say("downloading " + address + " again: its parts do not fit")
			if err := f.Truncate(0); err != nil {
				return err
			}
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if lasting := (*lastingError)(nil); errors.As(err, &lasting) {
			return lasting.error
		}
		if barren++; size > most { // a server that always begins anew may end at another byte each time
			barren, most = 0, size
		}
		if barren >= maxBarren {
			return fmt.Errorf("%s: broke off after %d bytes: %w", address, size, err)
		}
		resume = tag
		if tag == "" { // nothing says that a rest would be of the same file
			if err := f.Truncate(0); err != nil {
				return err
			}
			if restarted {
				return fmt.Errorf("%s: broke off after %d bytes, and cannot be resumed: %w", address, size, err)
			}
			restarted = true
		}
		say(fmt.Sprintf("the download broke off after %d MB: going on", size>>20))
	}
}

// lastingError is one that another request would meet again.
type lastingError struct{ error }

// part requests the rest of a file from an offset. It returns the file's strong tag; "" if the
// server gives none.
func (m *Mirror) part(ctx context.Context, f *os.File, address string, offset int64, resume string) (tag string, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(m.stalled, func() { cancel(fmt.Errorf("no byte for %s", m.stalled)) })
	defer watch.Stop()
	header := http.Header{}
	if offset > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", offset))
		header.Set("If-Range", resume)
	}
	response, err := m.request(ctx, address, header)
	if err != nil {
		return resume, err
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusPartialContent && strings.HasPrefix(response.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", offset)):
	case response.StatusCode == http.StatusOK: // the whole file, from its beginning
		offset = 0
		if err := f.Truncate(0); err != nil {
			return "", err
		}
	case offset > 0 && (response.StatusCode >= http.StatusInternalServerError || response.StatusCode == http.StatusTooManyRequests):
		return resume, statusError(address, response) // what is there stays
	default:
		return "", &lastingError{statusError(address, response)}
	}
	if tag = response.Header.Get("ETag"); strings.HasPrefix(tag, "W/") {
		tag = ""
	}
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return tag, err
	}
	n, err := io.Copy(f, &watched{bufio.NewReader(io.LimitReader(response.Body, maxBytes-offset+1)), func() { watch.Reset(m.stalled) }})
	if offset+n > maxBytes {
		return "", &lastingError{fmt.Errorf("%s: larger than %d MB", address, maxBytes>>20)}
	}
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return tag, err
}

// watched calls moved for each read that brings bytes.
type watched struct {
	io.Reader
	moved func()
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.Reader.Read(b)
	if n > 0 {
		w.moved()
	}
	return n, err
}

func checksumOf(f *os.File, h hash.Hash) (string, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	_, err := io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}
