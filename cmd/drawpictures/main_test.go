package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/golden"
)

// wellFormed reads XML to its end.
func wellFormed(t *testing.T, text []byte) {
	t.Helper()
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
}

func TestATerminalsLinesStayTheirLength(t *testing.T) {
	var out bytes.Buffer
	if err := draw([]string{"terminal", "winnow rank"}, strings.NewReader("i < n → i <= n\n\nend  \n"), &out); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, out.Bytes())
	for _, want := range []string{">$ winnow rank<", `textLength="101.5"`, "i &lt; n → i &lt;= n<", ">end<"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

// Of a picture with a thousand greys, most of it white, and a small red mark, both stay.
func TestAScreenshotKeepsItsMarks(t *testing.T) {
	from := image.NewRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 * 64 {
		c := color.RGBA{255, 255, 255, 255}
		if i < 1024 {
			c = color.RGBA{uint8(i / 4), uint8(i / 4), uint8(i / 4), 255}
		}
		from.Set(i%64, i/64, c)
	}
	red := color.RGBA{200, 0, 0, 255}
	for i := range 8 {
		from.Set(20+i, 40, red)
	}
	var in, out bytes.Buffer
	if err := png.Encode(&in, from); err != nil {
		t.Fatal(err)
	}
	if err := draw([]string{"palette"}, &in, &out); err != nil {
		t.Fatal(err)
	}
	to, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := to.ColorModel().(color.Palette); !ok || len(p) > colours || to.Bounds() != from.Bounds() {
		t.Errorf("it has the colours %v and the size %v", to.ColorModel(), to.Bounds())
	}
	for at, want := range map[image.Point]color.RGBA{{X: 63, Y: 63}: {255, 255, 255, 255}, {X: 22, Y: 40}: red} {
		if got := color.RGBAModel.Convert(to.At(at.X, at.Y)); got != want {
			t.Errorf("at %v it is %v, want %v", at, got, want)
		}
	}
}

func TestTheListsAreThoseOfTheResults(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "results", "first-twenty.md"))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := draw([]string{"lists"}, bytes.NewReader(text), &out); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, out.Bytes())
	golden.Check(t, filepath.Join("..", "..", "docs", "pictures", "lists.svg"), out.Bytes())
	if err := draw([]string{"lists"}, strings.NewReader("| random | x |\n"), io.Discard); err == nil {
		t.Error("a table without the orders is drawn")
	}
}
