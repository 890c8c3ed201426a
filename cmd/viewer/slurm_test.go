//go:build linux

package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"viewer/internal/testing/corpus"
)

// TestSlurm runs docs/scale/slurm.sh on a real Slurm of one node, which the test starts on the loopback interface.
func TestSlurm(t *testing.T) {
	corpus.Long(t)
	if testing.Short() {
		t.Skip("starts three services")
	}
	s := newShardFixture(t)
	env := startSlurm(t)
	script, err := filepath.Abs("../../docs/scale/slurm.sh")
	if err != nil {
		t.Fatal(err)
	}
	output := s.run(env, script, s.sessions, s.site, "4")
	words := strings.Fields(output)
	merge := words[len(words)-1] // sbatch --parsable prints only the id
	for deadline := time.Now().Add(3 * time.Minute); ; time.Sleep(200 * time.Millisecond) {
		state := s.run(env, "scontrol", "-o", "show", "job", merge)
		if strings.Contains(state, "JobState=COMPLETED") {
			break
		}
		if strings.Contains(state, "JobState=FAILED") || strings.Contains(state, "DependencyNeverSatisfied") ||
			time.Now().After(deadline) {
			logs, _ := filepath.Glob(filepath.Join(s.dir, "slurm-*.out"))
			for _, name := range logs {
				text, _ := os.ReadFile(name)
				t.Logf("%s: %s", filepath.Base(name), text)
			}
			t.Fatalf("%s\n%s", output, s.run(env, "squeue", "--all"))
		}
	}
	s.checkSame(s.site)
}

// startSlurm starts the services of a cluster of one node and stops them at the end of the test. It returns environment
// variables for the commands of Slurm.
func startSlurm(t *testing.T) []string {
	t.Helper()
	for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch", "scontrol"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("Slurm is not installed: %v; apt-get install slurm-wlm munge", err)
		}
	}
	if os.Geteuid() != 0 {
		t.Skip("slurmd needs root")
	}
	dir := t.TempDir()
	for _, d := range []string{"state", "spool", "munge"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	key := filepath.Join(dir, "munge", "key")
	if err := os.WriteFile(key, []byte(strings.Repeat("k", 1024)), 0o400); err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "munge", "socket")
	conf := filepath.Join(dir, "slurm.conf")
	text := fmt.Sprintf(`ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[2]d
SlurmdPort=%[3]d
AuthType=auth/munge
AuthInfo=socket=%[4]s
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=%[5]s/state
SlurmdSpoolDir=%[5]s/spool
SlurmctldPidFile=%[5]s/slurmctld.pid
SlurmdPidFile=%[5]s/slurmd.pid
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SchedulerParameters=defer_batch,sched_min_interval=10000
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=%[6]d RealMemory=4096 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`, strings.Split(host, ".")[0], freePort(t), freePort(t), socket, dir, max(2, runtime.NumCPU()))
	write(t, conf, text)
	env := []string{"SLURM_CONF=" + conf}
	start := func(name string, args ...string) {
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), env...)
		log, err := os.Create(filepath.Join(dir, name+".log"))
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdout, cmd.Stderr = log, log
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			log.Close()
			if t.Failed() {
				text, _ := os.ReadFile(log.Name())
				t.Logf("%s:\n%.3000s", name, text)
			}
		})
	}
	start("munged", "--foreground", "--force", "--key-file="+key, "--socket="+socket,
		"--pid-file="+filepath.Join(dir, "munge", "pid"), "--seed-file="+filepath.Join(dir, "munge", "seed"),
		"--log-file="+filepath.Join(dir, "munge", "log"))
	start("slurmctld", "-D", "-i", "-f", conf)
	start("slurmd", "-D", "-f", conf, "-N", strings.Split(host, ".")[0])
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		cmd := exec.Command("sinfo", "-h", "-o", "%T")
		cmd.Env = append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		if err == nil && strings.TrimSpace(string(out)) == "idle" {
			return env
		}
		if time.Now().After(deadline) {
			t.Fatalf("the node is not idle after the deadline: %v %s", err, out)
		}
	}
}

// freePort returns a port on which nothing listens at the moment.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
