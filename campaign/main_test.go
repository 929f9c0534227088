package campaign

import (
	"os"
	"testing"

	"github.com/winnow-mutants/winnow/execute/command"
)

// The test binary is also the worker that runs commands.
func TestMain(m *testing.M) {
	command.Main()
	os.Exit(m.Run())
}
