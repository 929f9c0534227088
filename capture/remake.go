package capture

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Remake returns a shell script that makes the products anew in which objects take
// the place of those that the build made: objects are paths by the ID of a unit, and
// runtime is an object that goes into every product beside them. It runs the
// commands of the build itself, in their order, with other objects: archives get other
// members, programs and shared libraries are linked again, and so is what is
// linked with an archive that has changed. Copies that the build made of a product are
// made again, too, and so are objects that were linked from several. The build's own objects stay as
// they are.
//
// It is an error when a unit came into a product in a way that cannot be repeated:
// in an object that one command made of several sources.
func (c *Capture) Remake(objects map[string]string, runtime string) (string, error) {
	r := &remaking{c: c, objects: objects, runtime: runtime, changed: map[string]bool{}}
	r.line("set", "-e")
	for i := range c.Products {
		if p := &c.Products[i]; !p.Gone {
			if err := r.product(p); err != nil {
				return "", err
			}
		}
	}
	return r.script.String(), nil
}

type remaking struct {
	c       *Capture
	objects map[string]string
	runtime string
	changed map[string]bool // archives, by path
	script  strings.Builder
	copies  int
}

func (r *remaking) line(words ...string) {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = word
		if strings.ContainsFunc(word, func(c rune) bool {
			return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_-+=./,:@%", c))
		}) || word == "" {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	r.script.WriteString(strings.Join(quoted, " ") + "\n")
}

// product makes one product anew, if anything in it changes.
func (r *remaking) product(p *Product) error {
	operands := map[string][]*Input{}
	again := false
	for i := range p.Inputs {
		switch in := &p.Inputs[i]; {
		case in.Unit == "" && r.changed[in.Product]:
			again = true
		case in.Unit != "" && in.Operand != "":
			operands[in.Operand] = append(operands[in.Operand], in)
		}
	}
	place := map[string]string{} // object by operand
	for _, operand := range slices.Sorted(maps.Keys(operands)) {
		object, err := r.object(p, operand, operands[operand])
		switch {
		case err != nil:
			return err
		case object != "":
			place[operand] = object
		}
	}
	if len(place) == 0 && !again {
		return nil
	}
	r.line("cd", r.c.Path(p.Dir))
	if p.Kind == "archive" {
		r.archive(p, place)
	} else {
		r.link(p, place)
	}
	for _, copy := range p.Copies {
		r.line("cp", "-f", r.c.Path(p.Path), r.c.Path(copy))
	}
	return nil
}

// object is what takes the place of an operand that holds some units: "" where all of them stay.
func (r *remaking) object(p *Product, operand string, inputs []*Input) (string, error) {
	var objects []string
	stays := true
	for _, in := range inputs {
		object, replaced := r.objects[in.Unit]
		if !replaced {
			object = r.c.Path(in.Object)
		}
		stays = stays && !replaced
		objects = append(objects, object)
	}
	switch {
	case stays:
		return "", nil
	case len(inputs) == 1:
		return objects[0], nil
	case slices.ContainsFunc(inputs, func(in *Input) bool { return in.Object == "" }):
		return "", fmt.Errorf("%s: %s was made of several sources at once, and cannot be replaced by the object of one", p.Path, operand)
	}
	made := r.folder() + "/" + path.Base(operand)
	r.line(append([]string{"ld", "-r", "-o", made}, objects...)...)
	return made, nil
}

// folder makes one more folder of its own.
func (r *remaking) folder() string {
	r.copies++
	folder := fmt.Sprintf("/tmp/winnow-members/%d", r.copies)
	r.line("mkdir", "-p", folder)
	return folder
}

// archive puts objects in the place of members of the same names. A file system link to the archive
// is another path of it.
func (r *remaking) archive(p *Product, place map[string]string) {
	r.changed[p.Path] = true
	members := []string{r.member(r.runtime, "winnow-select.o")}
	for _, operand := range slices.Sorted(maps.Keys(place)) {
		members = append(members, r.member(place[operand], path.Base(operand)))
	}
	r.line(append([]string{"ar", "rcs", r.c.Path(p.Path)}, members...)...)
}

// member is a copy of an object under the name that it is to have in an archive.
func (r *remaking) member(object, name string) string {
	made := r.folder() + "/" + name
	r.line("cp", object, made)
	return made
}

// link runs the product's own command with other objects.
func (r *remaking) link(p *Product, place map[string]string) {
	var argv []string
	linked := false
	for _, word := range p.Link {
		if object := place[word]; object != "" {
			if !linked {
				argv = append(argv, r.runtime)
				linked = true
			}
			argv = append(argv, object)
			continue
		}
		argv = append(argv, word)
	}
	r.line(r.c.Expand(argv...)...)
}
