package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"viewer/internal/console"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// Messages returns a session as data for training or evaluation: one conversation a line with messages of the Chat
// Completions API, first the session and then each of its agents. Each call is followed by its result. If there is
// none, the result says why. Reasoning is in reasoning_content, as servers of open models have it. Images are data
// URLs.
//
// Of the options, NoThinking, Turns, From, To and Level count, also levels below Tools. Attempts that were taken back,
// remarks of the program and the outcome of hooks are left out.
func Messages(s Session, o Options) ([]byte, error) {
	turns, err := choose(s.Conversation, o)
	if err != nil {
		return nil, err
	}
	w := chatWriter{Session: s, o: o}
	if err := w.conversation(turns); err != nil {
		return nil, err
	}
	if o.whole() {
		if err := w.agents(s.Conversation.Agents); err != nil {
			return nil, err
		}
	}
	if w.lines == nil {
		return nil, errNoSteps
	}
	return w.lines, nil
}

type chat struct {
	Messages []chatMessage `json:"messages"`
}

type chatMessage struct {
	Role      string     `json:"role"`    // user, assistant, tool
	Content   any        `json:"content"` // a string, parts, or null
	Reasoning string     `json:"reasoning_content,omitempty"`
	Calls     []chatCall `json:"tool_calls,omitempty"`
	Call      string     `json:"tool_call_id,omitempty"`
}

type chatCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function chatFunction `json:"function"`
}

type chatFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // JSON
}

type chatPart struct {
	Type  string     `json:"type"` // text, image_url
	Text  string     `json:"text,omitempty"`
	Image *chatImage `json:"image_url,omitempty"`
}

type chatImage struct {
	URL string `json:"url"`
}

type chatWriter struct {
	Session
	o     Options
	lines []byte
}

// conversation writes a line for a conversation, and one for each agent that its calls started.
func (w *chatWriter) conversation(turns []turn) error {
	var c chat
	var started []*normalize.Agent
	for _, t := range turns {
		for _, s := range w.o.stepsOf(t) {
			c.Messages = append(c.Messages, w.step(&s)...)
			for _, g := range s.calls {
				started = append(started, g.Agents...)
			}
		}
	}
	if c.Messages != nil {
		line, err := encodeLine(c)
		if err != nil {
			return err
		}
		w.lines = append(w.lines, line...)
	}
	return w.agents(started)
}

func (w *chatWriter) agents(all []*normalize.Agent) error {
	for _, a := range all {
		var turns []turn
		for _, t := range a.Conversation.Turns {
			turns = append(turns, w.o.turn(t, everywhere))
		}
		if err := w.conversation(turns); err != nil {
			return err
		}
	}
	return nil
}

// encodeLine returns JSON on one line.
func encodeLine(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("writing JSON: %w", err)
	}
	return console.JSON(b.Bytes()), nil
}

// toTheModel are kinds of messages that the program adds in the role of the user.
var toTheModel = map[normalize.Kind]bool{
	normalize.Output: true, normalize.Notification: true, normalize.Teammate: true, normalize.Injected: true,
	normalize.Summary: true, normalize.Media: true,
}

// step returns the messages of a step: an answer with the results of its calls, or text for the model.
func (w *chatWriter) step(s *step) []chatMessage {
	if s.side != byModel {
		var parts []chatPart
		for _, m := range s.messages {
			if s.side == byUser || toTheModel[m.Kind] {
				parts = w.part(parts, m)
			}
		}
		if parts == nil {
			return nil
		}
		return []chatMessage{{Role: "user", Content: plainChat(parts)}}
	}
	answer := chatMessage{Role: "assistant", Reasoning: w.joined(s.messages, normalize.Thinking)}
	if text := w.joined(s.messages, normalize.Text); text != "" {
		answer.Content = text
	}
	var results []chatMessage
	var shown []chatPart // images in results, for which the API allows only text
	for _, g := range s.calls {
		id := callID(g)
		answer.Calls = append(answer.Calls, chatCall{id, "function", chatFunction{g.Call.Name, string(arguments(g))}})
		result := chatMessage{Role: "tool", Call: id, Content: "[" + stateWords[g.State] + "]"}
		if g.Result != nil {
			result.Content = w.resultText(g.Result.Block)
			shown = append(shown, imagesOf(g.Result.Block)...)
		}
		results = append(results, result)
	}
	if shown != nil {
		results = append(results, chatMessage{Role: "user", Content: shown})
	}
	if answer.Content == nil && answer.Calls == nil && answer.Reasoning == "" {
		return nil
	}
	if answer.Content == nil && answer.Calls == nil {
		answer.Content = ""
	}
	return append([]chatMessage{answer}, results...)
}

func (w *chatWriter) part(parts []chatPart, m *normalize.Message) []chatPart {
	if isMedia(m) {
		return append(parts, chatMedia(m.Block))
	}
	if text := said(m); strings.TrimSpace(text) != "" {
		parts = append(parts, chatPart{Type: "text", Text: text})
	}
	return parts
}

// imagesOf returns the images of a result.
func imagesOf(b *transcript.Block) []chatPart {
	var all []chatPart
	for i := range b.Content {
		if c := &b.Content[i]; c.Type == "image" {
			if p := chatMedia(c); p.Image != nil {
				all = append(all, p)
			}
		}
	}
	return all
}

// chatMedia returns an image with its data, or a description.
func chatMedia(b *transcript.Block) chatPart {
	url := b.Source.URL
	if data := transcript.String(b.Source.Data); url == "" && b.Source.Kind == "base64" && data != "" {
		url = "data:" + b.Source.MediaType + ";base64," + data
	}
	if b.Type != "image" || url == "" || !imageTypes[b.Source.MediaType] {
		return chatPart{Type: "text", Text: "[" + mediaWords(b) + "]"}
	}
	return chatPart{Type: "image_url", Image: &chatImage{url}}
}

func plainChat(parts []chatPart) any {
	if len(parts) == 1 && parts[0].Type == "text" {
		return parts[0].Text
	}
	return parts
}
