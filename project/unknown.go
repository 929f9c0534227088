package project

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// UnknownKeys says which keys of a TOML file are none of what it was read into, each once with the
// line of its first place, and where there are keys of that name.
func UnknownKeys(strict *toml.StrictMissingError, into any) error {
	type unknown struct{ line, places int }
	found := map[string]*unknown{}
	for _, e := range strict.Errors {
		line, _ := e.Position()
		key := strings.Join(e.Key(), ".")
		if found[key] == nil {
			found[key] = &unknown{line: line}
		}
		found[key].places++
		found[key].line = min(found[key].line, line)
	}
	known := keysOf(reflect.TypeOf(into), "")
	var said []string
	for key, u := range found {
		text := fmt.Sprintf("%s (line %d", key, u.line)
		if u.places > 1 {
			text += fmt.Sprintf(", and %d more", u.places-1)
		}
		text += ")"
		name := key[strings.LastIndexByte(key, '.')+1:]
		if there := slices.DeleteFunc(slices.Clone(known), func(k string) bool { return k != name && !strings.HasSuffix(k, "."+name) }); len(there) > 0 {
			text += "; there is " + strings.Join(there, ", ")
		}
		said = append(said, text)
	}
	slices.SortFunc(said, func(a, b string) int { return cmp.Compare(a, b) })
	return fmt.Errorf("unknown keys: %s", strings.Join(said, "; "))
}

// keysOf are the keys, with their tables, that a TOML file may have that is read into a type.
func keysOf(t reflect.Type, table string) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var out []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("toml"), ",")
		if name == "" || name == "-" {
			continue
		}
		out = append(out, table+name)
		out = append(out, keysOf(t.Field(i).Type, table+name+".")...)
	}
	return out
}
