// Package encrypt makes of a page one that holds only ciphertext and asks for a password. It never keeps a password and
// knows nothing of sessions.
//
// The key is derived from the password by PBKDF2 with HMAC-SHA-256 and a random salt. The page is compressed, padded
// and encrypted with AES-256-GCM. WebCrypto has both in every browser. The page that asks is the same for every
// document. Its policy allows only scripts and styles whose hash it names: its own, and those of the decrypted page.
//
// The bytes differ from run to run, because salt and nonce must. It is the one place of the program where they do.
package encrypt
