package signature

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"viewer/internal/archive/store"
	"viewer/internal/failure"
)

// namespace is the namespace of signatures, so that a signature of something else is not valid for a seal.
const namespace = "viewer-archive"

// CanSign returns an error if a seal cannot be signed, before anything is archived.
func CanSign(key string) error {
	if _, err := os.Stat(key); err != nil {
		return failure.New(fmt.Errorf("--sign %s: %w", key, failure.Cause(err)),
			"give a private key, or a public one of an agent")
	}
	return hasSSHKeygen("--sign")
}

// CanVerify returns an error if a signature cannot be verified, before anything is read. It is no flaw of the archive.
func CanVerify(signers string) error {
	f, err := os.Open(signers)
	if err != nil {
		return failure.New(fmt.Errorf("--allowed-signers %s: %w", signers, failure.Cause(err)),
			"give a file of public keys as ssh-keygen(1) describes it")
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("--allowed-signers %s: %w", signers, failure.Cause(err))
	}
	return hasSSHKeygen("--allowed-signers")
}

func hasSSHKeygen(flag string) error {
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		return failure.New(fmt.Errorf("%s: ssh-keygen is not installed", flag), "it comes with OpenSSH 8.1 and later")
	}
	return nil
}

// Sign returns the signature of a seal.
func Sign(ctx context.Context, key string, seal []byte) (signature []byte, err error) {
	file, remove, err := temporary("seal", seal)
	if err != nil {
		return nil, err
	}
	defer remove()
	c := exec.CommandContext(ctx, "ssh-keygen", "-Y", "sign", "-f", key, "-n", namespace, "--", file)
	c.Stdin = os.Stdin // for a passphrase
	if said, err := c.CombinedOutput(); err != nil {
		return nil, failure.New(fmt.Errorf("signing with %s: %s", key, lastLine(said, err)),
			"the files are archived; the next run with --sign signs them")
	}
	signature, err = os.ReadFile(file + ".sig")
	if err != nil {
		return nil, fmt.Errorf("reading %s.sig: %w", file, failure.Cause(err))
	}
	return signature, nil
}

// temporary writes a file for ssh-keygen. Remove removes it with its folder.
func temporary(name string, data []byte) (file string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "viewer-*")
	if err != nil {
		return "", nil, failure.New(fmt.Errorf("creating a temporary folder: %w", failure.Cause(err)),
			"set TMPDIR to a folder that can be written to")
	}
	remove = func() { os.RemoveAll(dir) }
	file = filepath.Join(dir, name)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		remove()
		return "", nil, failure.New(fmt.Errorf("writing %s: %w", file, failure.Cause(err)),
			"set TMPDIR to a folder that has room")
	}
	return file, remove, nil
}

// Verify returns who signed a seal.
func Verify(ctx context.Context, s *store.Sealed, signers string) (string, error) {
	file, remove, err := temporary("seal.sig", s.Signature)
	if err != nil {
		return "", err
	}
	defer remove()
	find := exec.CommandContext(ctx, "ssh-keygen", "-Y", "find-principals", "-s", file, "-f", signers)
	out, err := find.Output()
	who, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil || who == "" {
		return "", fmt.Errorf("not signed with a key of %s", signers)
	}
	c := exec.CommandContext(ctx, "ssh-keygen", "-Y", "verify", "-f", signers, "-I", who, "-n", namespace,
		"-s", file)
	c.Stdin = strings.NewReader(string(s.Text()))
	if said, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("not a signature of the seal: %s", lastLine(said, err))
	}
	return who, nil
}

// lastLine returns the last line that a program printed, or why it failed if it printed nothing.
func lastLine(said []byte, err error) string {
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return last
	}
	return err.Error()
}
