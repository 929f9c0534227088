package confine

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/internal/testfile"
)

// shell runs a script as a tool and returns what it says of its errors.
func shell(t *testing.T, script string, own ...string) (stderr string, err error) {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	var out bytes.Buffer
	cmd.Stderr = &out
	err = Run(cmd, own...)
	return out.String(), err
}

func TestAToolWritesToItsOwnFoldersAlone(t *testing.T) {
	if lacks := Lacks(); lacks != "" {
		t.Fatalf("this machine cannot show it: %s", lacks)
	}
	own, other := t.TempDir(), t.TempDir()
	victim := filepath.Join(other, "victim")
	testfile.Write(t, victim, "precious")
	if stderr, err := shell(t, "mkdir -p "+own+"/a/b && echo x > "+own+"/a/b/c && ln -s c "+own+"/a/b/d && mv "+own+"/a/b/c "+own+"/e && echo x > /dev/null && cat "+victim+" >/dev/null", own); err != nil {
		t.Errorf("in its own folder: %v\n%s", err, stderr)
	}
	for _, script := range []string{
		"echo x > " + victim, "echo x >> " + victim, "rm " + victim, "mv " + victim + " " + own, "ln " + victim + " " + own + "/hard",
		"echo x > " + other + "/new", "mkdir " + other + "/folder", "echo x > " + own + "/../outside", "truncate -s 0 " + victim,
		"ln -s " + other + " " + own + "/way && echo x > " + own + "/way/new",
	} {
		if _, err := shell(t, script, own); err == nil {
			t.Errorf("%s succeeded", script)
		}
	}
	if testfile.Read(t, victim) != "precious" || paths.Exist(filepath.Join(other, "new")) || paths.Exist(filepath.Join(other, "folder")) {
		t.Error("something outside of its own folder has changed")
	}
}

func TestAToolReachesNoNetworkAndNobodyElseLacksAnything(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/"+port)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := Run(cmd); err == nil || !strings.Contains(stderr.String(), "Operation not permitted") {
		t.Errorf("a connection: %v, %s", err, stderr.String())
	}
	for range 20 { // whichever thread does it
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatalf("this process lacks the network, too: %v", err)
		}
		conn.Close()
		if err := os.WriteFile(filepath.Join(t.TempDir(), "free"), nil, 0o600); err != nil {
			t.Fatalf("this process cannot write any more: %v", err)
		}
	}
}
