package msp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// Limits of a message, so that no client makes the server ask for memory without end.
const (
	mostHeader  = 8 << 10
	mostContent = 8 << 20
)

// request is a message of JSON-RPC 2.0 from the client; without an ID it is a notification.
type request struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// failure is an error of JSON-RPC.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (f *failure) Error() string { return f.Message }

// The codes of JSON-RPC.
const (
	badJSON       = -32700
	badRequest    = -32600
	unknownMethod = -32601
	badParams     = -32602
	failed        = -32603
)

// readFrame reads one message: headers, of which Content-Length counts, an empty line, and so
// many bytes. A client that counts wrongly cannot be understood any more.
func readFrame(r *bufio.Reader) ([]byte, error) {
	length, read := -1, 0
	for {
		line, err := r.ReadSlice('\n')
		if read += len(line); read > mostHeader || errors.Is(err, bufio.ErrBufferFull) {
			return nil, fmt.Errorf("a message's headers have more than %d bytes", mostHeader)
		}
		if err != nil {
			if err == io.EOF && read > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" && read == len(line) { // an end of line between messages
			read = 0
			continue
		}
		if text == "" {
			break
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return nil, fmt.Errorf("%.40q is no header of a message", text)
		}
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 {
				return nil, fmt.Errorf("Content-Length: %.40q is no length", value)
			}
		}
	}
	switch {
	case length < 0:
		return nil, errors.New("a message has no Content-Length")
	case length > mostContent:
		return nil, fmt.Errorf("a message of %d bytes: %d are the most", length, mostContent)
	}
	content := make([]byte, length)
	if _, err := io.ReadFull(r, content); err != nil {
		return nil, fmt.Errorf("a message ends before its %d bytes: %w", length, err)
	}
	return content, nil
}

// writer writes whole messages.
type writer struct {
	mu sync.Mutex
	to io.Writer
}

func (w *writer) write(message any) error {
	content, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := fmt.Fprintf(w.to, "Content-Length: %d\r\n\r\n%s", len(content), content); err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	return nil
}

func (w *writer) answer(id json.RawMessage, result any) error {
	return w.write(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result"`
	}{"2.0", id, result})
}

func (w *writer) refuse(id json.RawMessage, f *failure) error {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	return w.write(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *failure        `json:"error"`
	}{"2.0", id, f})
}

func (w *writer) notify(method string, params any) error {
	return w.write(struct {
		Version string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}{"2.0", method, params})
}
