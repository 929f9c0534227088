package main

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A terminal's cell, in pixels, and the space around the text.
const (
	fontSize   = 12
	cellWidth  = 7.25
	cellHeight = 18
	margin     = 14
)

// terminal draws a command and what it printed. Colours follow the reader's light or dark.
func terminal(command string, in io.Reader, out io.Writer) error {
	lines := []string{"$ " + command}
	scan := bufio.NewScanner(in)
	for scan.Scan() {
		lines = append(lines, strings.TrimRight(scan.Text(), " "))
	}
	if err := scan.Err(); err != nil {
		return err
	}
	widest := 0
	for _, line := range lines {
		widest = max(widest, utf8.RuneCountInString(line))
	}
	var text strings.Builder
	width, height := int(float64(widest)*cellWidth)+2*margin, len(lines)*cellHeight+2*margin
	fmt.Fprintf(&text, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d">`+"\n", width, height, width, height)
	text.WriteString("<style>rect{fill:#f6f8fa}text{fill:#1f2328;white-space:pre;font:" + fmt.Sprint(fontSize) + "px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}.c{font-weight:bold}" +
		"@media(prefers-color-scheme:dark){rect{fill:#161b22}text{fill:#e6edf3}}</style>\n")
	fmt.Fprintf(&text, "<rect width=\"%d\" height=\"%d\" rx=\"6\"/>\n", width, height)
	for i, line := range lines {
		if line == "" {
			continue
		}
		class := ""
		if i == 0 {
			class = ` class="c"`
		}
		// The length keeps columns aligned in whatever font there is.
		fmt.Fprintf(&text, `<text x="%d" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs" xml:space="preserve"%s>`, margin, margin+i*cellHeight+fontSize, cellWidth*float64(utf8.RuneCountInString(line)), class)
		if err := xml.EscapeText(&text, []byte(line)); err != nil {
			return err
		}
		text.WriteString("</text>\n")
	}
	text.WriteString("</svg>\n")
	_, err := io.WriteString(out, text.String())
	return err
}
