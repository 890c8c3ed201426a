package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"viewer/internal/archive/store"
	"viewer/internal/console"
	"viewer/internal/failure"
	"viewer/internal/sitegen"
	"viewer/internal/storage"
	"viewer/internal/words"
)

func newVerify(u *ui) *cobra.Command {
	var signers string
	c := &cobra.Command{
		Use:   "verify ARCHIVE [SOURCE...]",
		Short: "Say whether an archive, and logs that are in it, are as they were",
		Long: `verify reads all that an archive holds and says what is not as it was archived, with
file and line. Of each SOURCE it compares the logs with what was archived of them:
lines that follow are what an agent writes that goes on, any other change is told.
It exits with 1 when something was changed.`,
		Example: `  viewer archive verify ~/sessions
  viewer archive verify ~/sessions ~/.claude/projects
  viewer archive verify ~/sessions --allowed-signers ~/.ssh/allowed_signers`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name the archive: viewer archive verify ARCHIVE")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return verifyArchive(c.Context(), u, args[0], signers, args[1:])
		},
	}
	c.Flags().StringVar(&signers, "allowed-signers", "",
		"the newest seal has to be signed by one of the keys in `FILE`, see ssh-keygen(1)")
	return c
}

func verifyArchive(ctx context.Context, u *ui, name, signers string, sources []string) error {
	a, err := store.Open(ctx, name)
	if err != nil {
		return err
	}
	defer a.Close()
	flaws := 0
	tell := func(f store.Flaw) {
		if !f.Mild {
			flaws++
		}
		u.print("%s\n", console.OneLine(f.String()))
	}
	if err := a.Verify(ctx, tell); err != nil {
		return err
	}
	sealed, err := verifySeals(ctx, a, signers, tell)
	if err != nil {
		return err
	}
	compared := 0
	if len(sources) > 0 {
		compared, err = sitegen.CompareArchived(ctx, a, sources, u.unread, tell)
		if err != nil {
			return err
		}
	}
	if flaws > 0 {
		err := fmt.Errorf("%s: %s not as it was archived", storage.Words(name),
			words.Plural(flaws, "place is", "places are"))
		return failure.New(err, "viewer archive restore writes what is whole")
	}
	machines := make(map[string]bool)
	for k := range a.Files {
		machines[k.Machine] = true
	}
	u.line("%s of %s are as they were archived; %s", words.Plural(len(a.Files), "file", "files"),
		words.Plural(len(machines), "machine", "machines"), sealed)
	if len(sources) > 0 {
		u.line("%s in the sources were compared with them", words.Plural(compared, "file", "files"))
	}
	return nil
}

// verifySeals checks the seals of an archive, and prints which part of it is sealed.
func verifySeals(ctx context.Context, a *store.Archive, signers string, tell func(store.Flaw)) (string, error) {
	seals, err := a.Seals()
	if err != nil {
		return "", err
	}
	var newest *store.Sealed
	for i := range seals {
		s := &seals[i]
		switch {
		case s.Err != nil:
			tell(store.Flaw{File: s.File, Text: s.Err.Error()})
		case s.Signature != nil:
			newest = s
		}
	}
	if newest == nil {
		if signers != "" {
			return "", failure.New(fmt.Errorf("%s is not signed", storage.Words(a.Name())),
				"viewer archive --sign KEY signs what it holds")
		}
		return "it is not signed", nil
	}
	since := ""
	if n := len(a.Hashes) - newest.Records; n > 0 {
		since = fmt.Sprintf(", but for %s that came later", words.Plural(n, "record", "records"))
	}
	at := newest.Time.Format("2006-01-02 15:04")
	if signers == "" {
		return fmt.Sprintf("signed %s%s; --allowed-signers checks by whom", at, since), nil
	}
	who, err := verifySignature(ctx, newest, signers)
	if err != nil {
		tell(store.Flaw{File: newest.SignatureFile(), Text: err.Error()})
		return "", nil
	}
	return fmt.Sprintf("signed %s by %s%s", at, who, since), nil
}

// sealNamespace is the namespace of signatures, so that a signature of something else is not valid for a seal.
const sealNamespace = "viewer-archive"

// canSign returns an error if a seal cannot be signed, before anything is archived.
func canSign(key string) error {
	if _, err := os.Stat(key); err != nil {
		return failure.New(fmt.Errorf("--sign %s: %w", key, failure.Cause(err)),
			"give a private key, or a public one of an agent")
	}
	return hasSSHKeygen("--sign")
}

func hasSSHKeygen(flag string) error {
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		return failure.New(fmt.Errorf("%s: ssh-keygen is not installed", flag), "it comes with OpenSSH 8.1 and later")
	}
	return nil
}

// sign returns the signature of a seal.
func sign(ctx context.Context, key string, seal []byte) (signature []byte, err error) {
	file, remove, err := temporary("seal", seal)
	if err != nil {
		return nil, err
	}
	defer remove()
	c := exec.CommandContext(ctx, "ssh-keygen", "-Y", "sign", "-f", key, "-n", sealNamespace, "--", file)
	c.Stdin = os.Stdin // it asks for a passphrase
	if said, err := c.CombinedOutput(); err != nil {
		return nil, failure.New(fmt.Errorf("signing with %s: %s", key, lastLine(said, err)),
			"what was archived is there; sign it with the next run")
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

// verifySignature returns who signed a seal.
func verifySignature(ctx context.Context, s *store.Sealed, signers string) (string, error) {
	if _, err := os.Stat(signers); err != nil {
		return "", fmt.Errorf("reading %s: %w", signers, failure.Cause(err))
	}
	if err := hasSSHKeygen("--allowed-signers"); err != nil {
		return "", err
	}
	file, remove, err := temporary("seal.sig", s.Signature)
	if err != nil {
		return "", err
	}
	defer remove()
	find := exec.CommandContext(ctx, "ssh-keygen", "-Y", "find-principals", "-s", file, "-f", signers)
	out, err := find.Output()
	who, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil || who == "" {
		return "", fmt.Errorf("it is by no key of %s", signers)
	}
	c := exec.CommandContext(ctx, "ssh-keygen", "-Y", "verify", "-f", signers, "-I", who, "-n", sealNamespace,
		"-s", file)
	c.Stdin = strings.NewReader(string(s.Text()))
	if said, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("it is no signature of the seal: %s", lastLine(said, err))
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
