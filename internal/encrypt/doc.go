// Package encrypt turns a page into one that contains only ciphertext and asks for a password. It never stores a
// password and knows nothing of sessions.
//
// The key is derived from the password by PBKDF2 with HMAC-SHA-256 and a random salt. The page is compressed, padded
// and encrypted with AES-256-GCM. Every browser has both in WebCrypto. All encrypted pages are the same except for the
// ciphertext. Their policy allows only scripts and styles with known hashes: their own and those of the decrypted page.
//
// The output differs from run to run, because salt and nonce must be random. This is the only package with such output.
package encrypt
