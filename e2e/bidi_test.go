package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/coder/websocket"
)

// bidi is a connection with the protocol WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). Commands, their
// results, and events are JSON messages.
type bidi struct {
	socket *websocket.Conn

	mu      sync.Mutex
	last    int
	waiting map[int]chan bidiMessage
	failed  error // the reason why the connection ended
	// Handlers of events by context, with "" for events without one.
	listeners map[string]func(bidiMessage, map[string]any)
}

// A bidiMessage is a result or an event.
type bidiMessage struct {
	ID      int             `json:"id"`
	Type    string          `json:"type"` // success, error, event
	Result  json.RawMessage `json:"result"`
	Error   string          `json:"error"`
	Message string          `json:"message"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// A bidiError is the result of a failed command.
type bidiError struct{ method, code, message string }

func (e *bidiError) Error() string { return e.method + ": " + e.code + ": " + e.message }

// dialBidi connects to the browser that listens at an address.
func dialBidi(ctx context.Context, address string) (*bidi, error) {
	socket, _, err := websocket.Dial(ctx, address, nil)
	if err != nil {
		return nil, err
	}
	socket.SetReadLimit(-1) // no limit, for large values
	b := &bidi{
		socket: socket, waiting: make(map[int]chan bidiMessage),
		listeners: make(map[string]func(bidiMessage, map[string]any)),
	}
	go b.read()
	return b, nil
}

// read passes results to their callers and events to their tabs, in order of arrival.
func (b *bidi) read() {
	for {
		_, data, err := b.socket.Read(context.Background())
		var m bidiMessage
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		b.mu.Lock()
		if err != nil {
			b.failed = fmt.Errorf("the connection with the browser: %w", err)
			for _, answer := range b.waiting {
				close(answer)
			}
			b.mu.Unlock()
			return
		}
		if m.Type == "event" {
			var params map[string]any
			_ = json.Unmarshal(m.Params, &params) // null sets nothing
			context, _ := params["context"].(string)
			if source, ok := params["source"].(map[string]any); ok {
				context, _ = source["context"].(string)
			}
			hear := b.listeners[context]
			b.mu.Unlock()
			if hear != nil {
				hear(m, params)
			}
			continue
		}
		answer := b.waiting[m.ID]
		delete(b.waiting, m.ID)
		b.mu.Unlock()
		if answer != nil {
			answer <- m
		}
	}
}

// call runs a command and decodes its result into result, which may be nil.
func (b *bidi) call(ctx context.Context, method string, params any, result any) error {
	answer := make(chan bidiMessage, 1)
	b.mu.Lock()
	if b.failed != nil {
		b.mu.Unlock()
		return b.failed
	}
	b.last++
	id := b.last
	b.waiting[id] = answer
	b.mu.Unlock()
	if params == nil {
		params = struct{}{}
	}
	data, err := json.Marshal(map[string]any{"id": id, "method": method, "params": params})
	if err != nil {
		return err
	}
	// Not with the context: when it ends, the library closes the connection, which other tests use.
	if err := b.socket.Write(context.Background(), websocket.MessageText, data); err != nil {
		return err
	}
	select {
	case m, ok := <-answer:
		switch {
		case !ok:
			return b.failed
		case m.Type == "error":
			return &bidiError{method, m.Error, m.Message}
		case result == nil:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-ctx.Done():
		b.mu.Lock()
		delete(b.waiting, id)
		b.mu.Unlock()
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// listen sets the handler of the events of a context, or removes it.
func (b *bidi) listen(context string, hear func(bidiMessage, map[string]any)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if hear == nil {
		delete(b.listeners, context)
		return
	}
	b.listeners[context] = hear
}

// A remoteValue is a value of a page in the encoding of the protocol.
type remoteValue struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

// evaluate returns the value of an expression as JSON, or nil for undefined. If promise is set, it waits for the value
// of the promise.
func (b *bidi) evaluate(ctx context.Context, target, expression string, promise bool) ([]byte, error) {
	var answer struct {
		Type             string      `json:"type"`
		Result           remoteValue `json:"result"`
		ExceptionDetails struct {
			Text string `json:"text"`
		} `json:"exceptionDetails"`
	}
	err := b.call(ctx, "script.evaluate", map[string]any{
		"expression": expression, "target": map[string]any{"context": target}, "awaitPromise": promise,
		"serializationOptions": map[string]any{"maxDomDepth": 0},
	}, &answer)
	if err != nil {
		return nil, err
	}
	if answer.Type != "success" {
		return nil, errors.New(answer.ExceptionDetails.Text)
	}
	value, err := answer.Result.plain()
	if err != nil || answer.Result.Type == "undefined" {
		return nil, err
	}
	return json.Marshal(value)
}

// plain returns the value in the form of encoding/json. Values without such a form are an empty object.
func (v remoteValue) plain() (any, error) {
	if v.Value == nil && v.Type == "object" {
		return struct{}{}, nil // an object of the browser
	}
	switch v.Type {
	case "undefined", "null":
		return nil, nil
	case "string", "boolean":
		return v.Value, nil
	case "number":
		var special string // otherwise it is a number
		if json.Unmarshal(v.Value, &special) != nil {
			return v.Value, nil
		}
		if special == "-0" {
			return math.Copysign(0, -1), nil
		}
		return nil, nil // NaN and infinities, as JSON.stringify writes them
	case "array":
		var items []remoteValue
		if err := json.Unmarshal(v.Value, &items); err != nil {
			return nil, err
		}
		list := make([]any, len(items))
		for i, item := range items {
			var err error
			if list[i], err = item.plain(); err != nil {
				return nil, err
			}
		}
		return list, nil
	case "object":
		var entries [][2]json.RawMessage
		if err := json.Unmarshal(v.Value, &entries); err != nil {
			return nil, err
		}
		object := make(map[string]any, len(entries))
		for _, entry := range entries {
			var name string
			var value remoteValue
			err := errors.Join(json.Unmarshal(entry[0], &name), json.Unmarshal(entry[1], &value))
			if err != nil {
				return nil, err
			}
			if value.Type == "undefined" {
				continue
			}
			if object[name], err = value.plain(); err != nil {
				return nil, err
			}
		}
		return object, nil
	}
	return struct{}{}, nil
}
