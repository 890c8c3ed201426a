//go:build cloud && linux

package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/fsouza/fake-gcs-server/fakestorage"
	"gocloud.dev/blob"
)

// TestBucketGoogle and TestBucketAzure build sites of sessions in buckets of two other providers, with local servers:
// by one build and by shards, with a session that grows, and with wrong addresses.

func TestBucketGoogle(t *testing.T) {
	port := freePort(t)
	server, err := fakestorage.NewServerWithOptions(fakestorage.Options{
		Scheme: "http", Host: "127.0.0.1", Port: uint16(port), PublicHost: fmt.Sprintf("127.0.0.1:%d", port),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	server.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: "sessions"})
	server.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: "site"})
	t.Setenv("STORAGE_EMULATOR_HOST", fmt.Sprintf("127.0.0.1:%d", port))
	(&bucketProvider{t, "gs"}).runCommands()
}

func TestBucketAzure(t *testing.T) {
	tool, err := filepath.Abs("../../.ci/servers/node_modules/.bin/azurite-blob")
	if err == nil {
		_, err = os.Stat(tool)
	}
	if err != nil {
		t.Skipf("Azurite is not installed: run .ci/scale: %v", err)
	}
	port := freePort(t)
	server := exec.Command("node", tool, "--inMemoryPersistence", "--silent", "--skipApiVersionCheck",
		"--disableTelemetry", "--blobHost", "127.0.0.1", "--blobPort", fmt.Sprint(port))
	server.Dir = t.TempDir()
	if err := server.Start(); err != nil {
		t.Skipf("Azurite does not start: %v", err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	connection := azureConnection(fmt.Sprintf("http://127.0.0.1:%d/devstoreaccount1", port))
	t.Setenv("AZURE_STORAGE_CONNECTION_STRING", connection)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			c.Close()
			break
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	client, err := azblob.NewClientFromConnectionString(connection, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sessions", "site"} {
		if _, err := client.CreateContainer(t.Context(), name, nil); err != nil {
			t.Fatal(err)
		}
	}
	(&bucketProvider{t, "azblob"}).runCommands()
}

// A bucketProvider is a local server with the protocol of Google or Azure.
type bucketProvider struct {
	*testing.T
	scheme string
}

func (p *bucketProvider) address(name string) string { return p.scheme + "://" + name }

func (p *bucketProvider) viewer(args ...string) (string, error) {
	cmd := exec.Command("viewer", args...)
	cmd.Env = append(os.Environ(), "HOME="+p.TempDir())
	output, err := cmd.CombinedOutput()
	return string(output), err
}

func (p *bucketProvider) mustRun(args ...string) string {
	p.Helper()
	output, err := p.viewer(args...)
	if err != nil {
		p.Fatalf("%v: %v\n%s", args, err, output)
	}
	return output
}

// runCommands runs the commands of the two tests.
func (p *bucketProvider) runCommands() {
	p.Helper()
	b := p.open("sessions")
	folder, want := filepath.Join(p.TempDir(), "team"), filepath.Join(p.TempDir(), "want")
	if err := os.CopyFS(folder, os.DirFS("../../testdata/projects")); err != nil {
		p.Fatal(err)
	}
	for name, data := range folderFiles(p.T, folder) {
		if err := b.WriteAll(p.Context(), "team/"+name, []byte(data), nil); err != nil {
			p.Fatal(err)
		}
	}
	source, site := p.address("sessions/team"), p.address("site/one")
	p.mustRun("build", folder, "-o", want)
	p.mustRun("build", source, "-o", site)
	p.checkSame(want, "one")
	if output := p.mustRun("build", source, "-o", site); !strings.Contains(output, "rendered 0, reused 18") {
		p.Errorf("a build without changes: got %s, want nothing rendered", output)
	}

	const grown = "-home-mara-ovenbell"
	file := appendPrompt(p.T, filepath.Join(folder, grown))
	data, err := os.ReadFile(file)
	if err != nil {
		p.Fatal(err)
	}
	if err := b.WriteAll(p.Context(), "team/"+grown+"/"+filepath.Base(file), data, nil); err != nil {
		p.Fatal(err)
	}
	p.mustRun("build", folder, "-o", want)
	if output := p.mustRun("build", source, "-o", site); !strings.Contains(output, "rendered 1, reused 17") {
		p.Errorf("a session that grew: got %s, want one rendered", output)
	}
	p.checkSame(want, "one")

	shards := p.address("site/shards")
	p.mustRun("plan", source, "-o", shards, "--shards", "2")
	for _, shard := range []string{"1/2", "0/2", "1/2"} {
		p.mustRun("build", source, "-o", shards, "--shard", shard)
	}
	p.mustRun("merge", shards)
	p.checkSame(want, "shards")

	for address, want := range map[string]string{
		p.address("nowhere/team"): "reading " + p.scheme + "://nowhere/team: no such bucket",
		p.address("sessions/no"):  "no sessions in " + p.scheme + "://sessions/no",
	} {
		output, err := p.viewer("build", address, "-o", filepath.Join(p.TempDir(), "none"))
		if exitCode(err) != 1 || !strings.HasPrefix(output, "viewer: error: "+want+"\n") ||
			!strings.Contains(output, "viewer: hint: ") || strings.Count(output, "\n") != 2 {
			p.Errorf("%s: error %v, want %q and a hint\n%s", address, err, want, output)
		}
	}
}

// open opens a bucket with the library that the viewer uses, but without the viewer.
func (p *bucketProvider) open(name string) *blob.Bucket {
	p.Helper()
	b, err := blob.OpenBucket(p.Context(), p.address(name))
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { b.Close() })
	return b
}

// checkSame checks that a prefix of the bucket "site" has the same files as a site in a folder, and no others.
func (p *bucketProvider) checkSame(dir, prefix string) {
	p.Helper()
	want, b := folderFiles(p.T, dir), p.open("site")
	for all := b.List(&blob.ListOptions{Prefix: prefix + "/"}); ; {
		o, err := all.Next(p.Context())
		if err == io.EOF {
			break
		}
		if err != nil {
			p.Fatal(err)
		}
		name := strings.TrimPrefix(o.Key, prefix+"/")
		if strings.HasPrefix(name, ".viewer/") {
			continue
		}
		data, err := b.ReadAll(p.Context(), o.Key)
		if err != nil {
			p.Fatal(err)
		}
		if made, ok := want[name]; !ok || made != string(data) {
			p.Errorf("%s differs from the file in the folder", name)
		}
		delete(want, name)
	}
	for name := range want {
		p.Errorf("%s is missing", name)
	}
}
