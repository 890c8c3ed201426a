package all

import (
	"viewer/internal/sources"
	"viewer/internal/sources/aider"
	"viewer/internal/sources/amp"
	"viewer/internal/sources/antigravity"
	"viewer/internal/sources/atif"
	"viewer/internal/sources/claude"
	"viewer/internal/sources/cline"
	"viewer/internal/sources/codex"
	"viewer/internal/sources/continuedev"
	"viewer/internal/sources/copilot"
	"viewer/internal/sources/crush"
	"viewer/internal/sources/cursor"
	"viewer/internal/sources/droid"
	"viewer/internal/sources/gemini"
	"viewer/internal/sources/goose"
	"viewer/internal/sources/grok"
	"viewer/internal/sources/hermes"
	"viewer/internal/sources/inspect"
	"viewer/internal/sources/kimi"
	"viewer/internal/sources/kiro"
	"viewer/internal/sources/opencode"
	"viewer/internal/sources/openhands"
	"viewer/internal/sources/otlp"
	"viewer/internal/sources/pi"
	"viewer/internal/sources/sweagent"
	"viewer/internal/sources/vscode"
	"viewer/internal/sources/zed"
)

// Sources lists all sources in the order in which they are asked. Claude Code comes last: it accepts any file.
var Sources = sources.List{
	copilot.Source{},
	vscode.Source{},
	codex.Source{},
	antigravity.Source{},
	gemini.Source{},
	gemini.Qwen{},
	opencode.Source{},
	pi.Source{},
	droid.Source{},
	kimi.Source{},
	amp.Source{},
	continuedev.Source{},
	cline.Source{},
	aider.Source{},
	goose.Source{},
	kiro.Source{},
	zed.Source{},
	grok.Source{},
	hermes.Source{},
	crush.Source{},
	openhands.Source{},
	cursor.Source{},
	cursor.Text{},
	cursor.Stream{},
	atif.Source{},
	sweagent.Source{},
	inspect.Source{},
	otlp.Source{},
	claude.Source{},
}
