// Package ctest reads CTest's list of tests, as `ctest --show-only=json-v1` prints it
// (CMake 3.14 or later).
package ctest

import (
	"encoding/json"
	"fmt"
)

// Test is a test of the list.
type Test struct {
	Name string `json:"name"`
	// Command is empty where it names a program that is not built yet.
	Command    []string   `json:"command"`
	Properties []Property `json:"properties"`
}

// Property is one of CMake's properties of tests; Value is as JSON has it.
type Property struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// Property is the value of a property, nil where the test does not have it.
func (t *Test) Property(name string) any {
	for _, p := range t.Properties {
		if p.Name == name {
			return p.Value
		}
	}
	return nil
}

// Read reads the list.
func Read(text []byte) ([]Test, error) {
	var list struct {
		Kind  string `json:"kind"`
		Tests []Test `json:"tests"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("reading CTest's list of tests: %w", err)
	}
	if list.Kind != "ctestInfo" {
		return nil, fmt.Errorf("CTest's list of tests is a %q, not a ctestInfo", list.Kind)
	}
	return list.Tests, nil
}
