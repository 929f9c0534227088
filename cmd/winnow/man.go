package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
)

func newMan() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "man FOLDER",
		Short: "Write the manual pages",
		Long: `Write a manual page of winnow and of each of its commands (winnow.1, winnow-rank.1 and so on)
to a folder, which is made if there is none. They say what --help says. make install puts them
where man finds them.`,
		Example: "  winnow man ~/.local/share/man/man1",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := writeManual(cmd.Root(), args[0])
			if err != nil {
				return exit.New(exit.System, err, "")
			}
			return writeResult(cmd.OutOrStdout(), fmt.Appendf(nil, "wrote %d pages to %s\n", n, args[0]))
		},
	}
	return ends(cmd, exit.Output)
}

// writeManual writes the page of a command and of all below it, and returns how many there are.
func writeManual(cmd *cobra.Command, folder string) (int, error) {
	if err := atomicfile.MakeFolder(folder); err != nil {
		return 0, err
	}
	if err := atomicfile.Write(filepath.Join(folder, pageName(cmd)+".1"), manualPage(cmd)); err != nil {
		return 0, err
	}
	pages := 1
	for _, sub := range documented(cmd) {
		n, err := writeManual(sub, folder)
		if err != nil {
			return pages, err
		}
		pages += n
	}
	return pages, nil
}

// documented are the commands below one that have a page: cobra's own are about themselves.
func documented(cmd *cobra.Command) (out []*cobra.Command) {
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" && sub.Name() != "completion" {
			out = append(out, sub)
		}
	}
	return out
}

// pageName is the name of a command's page, as git's are: winnow-rank.
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manualPage is the page of a command in roff, in the macros of man(7). It has no date, so that
// the same program gives the same page.
func manualPage(cmd *cobra.Command) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, ".TH %s 1 \"\" %s \"winnow\"\n", quoted(strings.ToUpper(pageName(cmd))), quoted("winnow "+buildVersion()))
	fmt.Fprintf(&out, ".SH NAME\n%s \\- %s\n", roff(pageName(cmd)), roff(cmd.Short))
	usage := cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		usage += " COMMAND"
	}
	fmt.Fprintf(&out, ".SH SYNOPSIS\n.B %s\n", roff(usage))
	out.WriteString(".SH DESCRIPTION\n")
	for i, paragraph := range strings.Split(cmd.Long, "\n\n") {
		if i > 0 {
			out.WriteString(".PP\n")
		}
		fmt.Fprintln(&out, roff(paragraph))
	}
	below := documented(cmd)
	if len(below) > 0 {
		out.WriteString(".SH COMMANDS\n")
	}
	for _, sub := range below {
		fmt.Fprintf(&out, ".TP\n.BR %s (1)\n%s\n", roff(pageName(sub)), roff(sub.Short))
	}
	manualOptions(&out, cmd)
	if cmd.Example != "" {
		preformatted(&out, "EXAMPLES", cmd.Example)
	}
	_, statuses, _ := strings.Cut(exitStatus(cmd), "\n")
	preformatted(&out, "EXIT STATUS", statuses)
	if cmd.HasParent() {
		fmt.Fprintf(&out, ".SH SEE ALSO\n.BR %s (1)\n", roff(pageName(cmd.Parent())))
	}
	return out.Bytes()
}

func manualOptions(out *bytes.Buffer, cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	out.WriteString(".SH OPTIONS\n")
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(flag)
		name := "--" + flag.Name
		if flag.Shorthand != "" {
			name = "-" + flag.Shorthand + ", " + name
		}
		fmt.Fprintf(out, ".TP\n\\fB%s\\fR", roff(name))
		if value != "" {
			fmt.Fprintf(out, " \\fI%s\\fR", roff(value))
		}
		fmt.Fprintf(out, "\n%s", roff(usage))
		switch flag.DefValue {
		case "", "false", "0", "0s", "[]":
		default:
			fmt.Fprintf(out, " (default %s)", roff(flag.DefValue))
		}
		out.WriteString("\n")
	})
}

// preformatted writes a section whose lines stay as they are.
func preformatted(out *bytes.Buffer, title, text string) {
	fmt.Fprintf(out, ".SH %s\n.nf\n%s\n.fi\n", title, roff(strings.TrimRight(text, "\n")))
}

// roff escapes text: a line that begins with a dot or a quote would be a request, and a hyphen
// is set as one that no command line knows.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "–", `\[en]`, "…", `\&...`, "→", `\->`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

// quoted is an argument of a request.
func quoted(text string) string { return `"` + strings.ReplaceAll(roff(text), `"`, `\(dq`) + `"` }
