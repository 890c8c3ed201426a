package encrypt

import (
	"bytes"
	"compress/gzip"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"golang.org/x/text/unicode/norm"
)

// The layout of a ciphertext: version, rounds, salt and nonce, followed by the output of AES-GCM, whose tag covers this
// head as well. The plaintext begins with the length of the compressed page. unlock.js reads the same layout.
const (
	version   = 1
	saltSize  = 16
	nonceSize = 12
	keySize   = 32
	headSize  = 1 + 4 + saltSize + nonceSize
	lengthOf  = 4
)

// rounds is the number of rounds of PBKDF2. OWASP recommends 600,000 with SHA-256.
const rounds = 1_000_000

// smallest is the minimum size of a plaintext in bytes.
const smallest = 64 << 10

// ErrPassword is the error for a wrong password or a ciphertext that was changed.
var ErrPassword = errors.New("the password is wrong, or the file was changed")

// A Key encrypts several pages of one site. Its salt is in each of them.
type Key struct {
	salt   [saltSize]byte
	rounds uint32
	aead   cipher.AEAD
	tags   []byte // key of Tag
}

// NewKey derives a key from a password and a new random salt. The Unicode form of the password does not matter. This
// takes some tenths of a second.
func NewKey(password string) (*Key, error) {
	var salt [saltSize]byte
	if _, err := rand.Read(salt[:]); err != nil {
		return nil, err
	}
	return deriveKey(password, salt, rounds)
}

// KeyOf derives the key from a password and the salt of another one.
func KeyOf(password, salt string) (*Key, error) {
	data, err := hex.DecodeString(salt)
	if err != nil || len(data) != saltSize {
		return nil, fmt.Errorf("%q is not a salt", salt)
	}
	return deriveKey(password, [saltSize]byte(data), rounds)
}

// Salt returns the salt in hexadecimal.
func (k *Key) Salt() string { return hex.EncodeToString(k.salt[:]) }

// Tag returns a text that is the same for the same data and key. Without the key it reveals nothing.
func (k *Key) Tag(data []byte) string {
	h := hmac.New(sha256.New, k.tags)
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// Text encrypts a short text. Its length is rounded up to 256 bytes.
func (k *Key) Text(text string) string {
	plain := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	plain = append(plain, text...)
	plain = append(plain, make([]byte, -len(plain)&255)...)
	nonce := make([]byte, nonceSize)
	rand.Read(nonce) // never fails
	return base64.StdEncoding.EncodeToString(k.aead.Seal(nonce, nonce, plain, nil))
}

// OpenText decrypts what Text encrypted.
func (k *Key) OpenText(coded string) (string, error) {
	data, err := base64.StdEncoding.DecodeString(coded)
	if err != nil || len(data) < nonceSize {
		return "", errors.New("no encrypted text")
	}
	plain, err := k.aead.Open(nil, data[:nonceSize], data[nonceSize:], nil)
	if err != nil {
		return "", ErrPassword
	}
	if len(plain) < lengthOf || uint64(binary.BigEndian.Uint32(plain)) > uint64(len(plain)-lengthOf) {
		return "", errors.New("no encrypted text")
	}
	return string(plain[lengthOf : lengthOf+int(binary.BigEndian.Uint32(plain))]), nil
}

func deriveKey(password string, salt [saltSize]byte, rounds uint32) (*Key, error) {
	key, err := pbkdf2.Key(sha256.New, norm.NFC.String(password), salt[:], int(rounds), keySize)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	tags, err := hkdf.Key(sha256.New, key, nil, "tags of pages", keySize)
	return &Key{salt, rounds, aead, tags}, err
}

// encrypt returns the ciphertext of a document.
func (k *Key) encrypt(document []byte) ([]byte, error) {
	var plain bytes.Buffer
	plain.Write(make([]byte, lengthOf))
	z, err := gzip.NewWriterLevel(&plain, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(document); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	n := plain.Len() - lengthOf
	if uint64(n) > 1<<32-1 {
		return nil, fmt.Errorf("a page of %d bytes is too long to be encrypted", len(document))
	}
	binary.BigEndian.PutUint32(plain.Bytes(), uint32(n))
	plain.Write(make([]byte, padded(plain.Len())-plain.Len()))
	head := make([]byte, headSize, headSize+plain.Len()+k.aead.Overhead())
	head[0] = version
	binary.BigEndian.PutUint32(head[1:], k.rounds)
	copy(head[5:], k.salt[:])
	nonce := head[headSize-nonceSize:]
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	return k.aead.Seal(head, nonce, plain.Bytes(), head), nil
}

// padded rounds a size up, so that the size of a file reveals little about its content. There are eight sizes for each
// power of two, so at most an eighth is added.
func padded(size int) int {
	if size <= smallest {
		return smallest
	}
	step := 1 << (bits.Len(uint(size-1)) - 4)
	return (size + step - 1) / step * step
}

// decrypt returns the document of a ciphertext, as the script of the page does.
func decrypt(data []byte, password string) ([]byte, error) {
	if len(data) < headSize || data[0] != version {
		return nil, errors.New("not a ciphertext of this program")
	}
	head, rest := data[:headSize], data[headSize:]
	k, err := deriveKey(password, [saltSize]byte(head[5:]), binary.BigEndian.Uint32(head[1:]))
	if err != nil {
		return nil, err
	}
	plain, err := k.aead.Open(nil, head[headSize-nonceSize:], rest, head)
	if err != nil {
		return nil, ErrPassword
	}
	z, err := gzip.NewReader(bytes.NewReader(plain[lengthOf : lengthOf+int(binary.BigEndian.Uint32(plain))]))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
