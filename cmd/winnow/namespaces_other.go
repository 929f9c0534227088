//go:build !linux

package main

import (
	"context"
	"errors"
)

func namespaces(context.Context) (string, error) {
	return "", errors.New("not available: this is not Linux")
}
