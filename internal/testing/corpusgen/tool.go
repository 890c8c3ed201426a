package corpusgen

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// A tool appends a call and returns a function that appends its result, or nil if it has appended both.
type tool struct {
	since, until version // 0 for no limit
	start        func(s *session) func()
}

// tools by the number of calls in 780 real files.
var tools = []weighted[tool]{
	{13486, tool{start: bash}},
	{9393, tool{start: read}},
	{8445, tool{start: edit}},
	{922, tool{start: write}},
	{3299, tool{until: 201150, start: grep}},
	{634, tool{until: 201161, start: glob}},
	{400, tool{until: 100128, start: multiEdit}},
	{638, tool{start: (*session).startAgent}},
	{1600, tool{until: 201015, start: todoWrite}},
	{1400, tool{since: 201017, start: taskCreate}},
	{2800, tool{since: 201017, start: taskUpdate}},
	{130, tool{start: webFetch}},
	{85, tool{start: webSearch}},
	{131, tool{since: 200037, start: askUser}},
	{92, tool{start: exitPlan}},
	{153, tool{since: 200076, start: skill}},
	{91, tool{since: 201078, start: toolSearch}},
	{221, tool{start: mcp}},
}

// toolsOf returns the tools of a version.
func toolsOf(v version) []weighted[tool] {
	return slices.DeleteFunc(slices.Clone(tools), func(l weighted[tool]) bool {
		return v < l.what.since || l.what.until > 0 && v > l.what.until
	})
}

// Sizes in bytes, as counted in real sessions.
var (
	outputSizes   = distribution{0, 60, 300, 900, 2700, 16_000, 30_000}
	fileSizes     = distribution{20, 450, 1650, 3500, 8200, 44_000, 76_000}
	originalSizes = distribution{200, 700, 5000, 11_000, 36_000, 55_000, 64_000}
	oldSizes      = distribution{30, 80, 260, 520, 1000, 3600, 6000}
	writtenSizes  = distribution{40, 280, 1500, 3700, 7100, 31_000, 40_000}
	foundSizes    = distribution{20, 60, 640, 1800, 4400, 15_000, 19_000}
	namesSizes    = distribution{20, 60, 150, 290, 2900, 8500, 8600}
	commandSizes  = distribution{0, 0, 0, 100, 500, 1600, 2900}   // of a script, in addition to the command
	searchSizes   = distribution{0, 0, 110, 440, 900, 1900, 3000} // the same, when searches are commands too
)

func bash(s *session) func() {
	known := pick(s.rng, s.texts.commands)
	command := known[1]
	if s.rng.IntN(4) == 0 {
		command = "cd " + s.cwd + " && " + command
	}
	sizes := commandSizes
	if s.v > 201150 {
		sizes = searchSizes
	}
	if size := sizes.pick(s.rng); size > 60 {
		command += " && cat > run.sh <<'EOF'\n" + string(cut(s.rng, s.texts.code["sh"], size)) + "\nEOF"
	}
	c := s.call("Bash", `{"command":%q,"description":%q}`, command, known[2]+" for "+pick(s.rng, s.texts.commands)[2])
	return func() {
		size := outputSizes.pick(s.rng)
		if s.v >= 201011 && s.v <= 201063 && s.rng.IntN(5) == 0 {
			s.running(c, known[0])
		}
		var out []byte
		switch {
		case size < 8:
		case known[0] == "diff":
			out = s.diff(size)
		case known[0] == "text":
			out = cut(s.rng, s.texts.code["md"], size)
		default:
			out = cut(s.rng, s.texts.outputs[known[0]], size)
		}
		if s.rng.IntN(100) < 7 {
			out = append([]byte("Exit code 1\n"), out...)
			s.done(c, result{
				content: out, failed: true, structured: appendQuoted(nil, append([]byte("Error: "), out...)),
			})
			return
		}
		content, more := out, ""
		// Too long for the model: a file beside the session, and a preview.
		if s.v >= 201020 && size > 20_000 && !s.alone {
			name := s.hex(9) + ".txt"
			s.files = append(s.files, File{s.path + "/tool-results/" + name, slices.Clone(out)})
			place := "/home/mara/.claude/projects/" + s.path + "/tool-results/" + name
			content = appendf(nil,
				"<persisted-output>\nOutput too large (%dKB). Full output saved to: %s\n\nPreview (first 2KB):\n%s\n...\n</persisted-output>", size/1024, place, out[:2048])
			more = string(appendf(nil, `,"persistedOutputPath":%q,"persistedOutputSize":%d`, place, len(out)))
		}
		if s.v >= 201030 {
			more += `,"noOutputExpected":false`
		}
		s.done(c, result{
			content:    content,
			structured: appendf(nil, `{"stdout":%q,"stderr":"","interrupted":false,"isImage":false%s}`, out, more),
		})
	}
}

// diff returns output of git diff.
func (s *session) diff(size int) []byte {
	var out []byte
	for len(out) < size {
		language := s.language()
		file := strings.TrimPrefix(s.file(language), s.cwd+"/")
		out = appendf(out, "diff --git a/%s b/%s\nindex %s..%s 100644\n--- a/%s\n+++ b/%s\n", file, file, s.hex(7),
			s.hex(7), file, file)
		p := s.patch(language, min(size, 600))
		out = appendf(out, "@@ -%d,%d +%d,%d @@\n", p.at, p.oldLines, p.at, p.newLines)
		for _, line := range p.lines {
			out = append(append(out, line...), '\n')
		}
	}
	return out
}

func read(s *session) func() {
	language := s.language()
	file := s.file(language)
	if s.rng.IntN(readsOfPicture) == 0 {
		if picture := s.screenshot(); picture != nil {
			return s.readPicture(picture)
		}
	}
	start := 1
	var c call
	if s.rng.IntN(3) == 0 {
		start = 1 + s.rng.IntN(400)
		c = s.call("Read", `{"file_path":%q,"offset":%d,"limit":%d}`, file, start, 20+s.rng.IntN(200))
	} else {
		c = s.call("Read", `{"file_path":%q}`, file)
	}
	return func() {
		if s.rng.IntN(100) == 0 {
			s.fail(c, "File does not exist.")
			return
		}
		source := cut(s.rng, s.texts.code[language], fileSizes.pick(s.rng))
		content := s.numbered(source, start)
		if s.v < 201060 && s.rng.IntN(10) == 0 {
			content = append(content, "\n\n<system-reminder>\nWhenever you read a file, you should consider whether it looks malicious.\n</system-reminder>\n"...)
		}
		n := bytes.Count(source, []byte{'\n'}) + 1
		s.done(c, result{
			content:    content,
			structured: appendf(nil, `{"type":"text","file":{"filePath":%q,"content":%q,"numLines":%d,"startLine":%d,"totalLines":%d}}`, file, source, n, start, start+n),
		})
	}
}

func (s *session) readPicture(picture []byte) func() {
	c := s.call("Read", `{"file_path":"%s/shot.png"}`, s.cwd)
	return func() {
		s.done(c, result{blocks: true,
			content:    appendf(nil, `[{"type":"image","source":{"type":"base64","data":"%s","media_type":"image/png"}}]`, picture),
			structured: appendf(nil, `{"type":"image","file":{"base64":"%s","type":"image/png","originalSize":%d}}`, picture, len(picture)*3/4)})
	}
}

// numbered returns a source with line numbers as in the output of Read.
func (s *session) numbered(source []byte, line int) []byte {
	out := make([]byte, 0, len(source)+len(source)/4)
	for text := range bytes.Lines(source) {
		number := strconv.Itoa(line)
		if s.v < 201090 {
			out = append(append(append(out, "      "[min(6, len(number)):]...), number...), "→"...)
		} else {
			out = append(append(out, number...), '\t')
		}
		out = append(out, text...)
		line++
	}
	return out
}

func grep(s *session) func() {
	word, folder := pick(s.rng, s.texts.commands)[0], s.cwd+"/"+pick(s.rng, s.texts.nouns)+"s"
	if s.rng.IntN(2) == 0 {
		c := s.call("Grep", `{"pattern":%q,"path":%q,"output_mode":"content","-n":true,"head_limit":%d}`,
			word+`.*\(|type .*`+word, folder, 20+s.rng.IntN(80))
		return func() {
			out := cut(s.rng, s.texts.outputs["grep"], foundSizes.pick(s.rng))
			s.done(c, result{
				content:    out,
				structured: appendf(nil, `{"mode":"content","numFiles":0,"filenames":[],"content":%q,"numLines":%d}`, out, bytes.Count(out, []byte{'\n'})+1),
			})
		}
	}
	c := s.call("Grep", `{"pattern":%q,"path":%q,"glob":"**/*.%s","output_mode":"files_with_matches"}`, word,
		folder, s.language())
	return func() {
		names, list := s.names(foundSizes.pick(s.rng))
		s.done(c, result{
			content: append([]byte("Found files\n"), names...), structured: appendf(nil,
				`{"mode":"files_with_matches","filenames":%s,"numFiles":%d}`, list, bytes.Count(names, []byte{'\n'})+1),
		})
	}
}

func glob(s *session) func() {
	c := s.call("Glob", `{"pattern":"**/*.%s"}`, s.language())
	return func() {
		names, list := s.names(namesSizes.pick(s.rng))
		s.done(c, result{
			content: names, structured: appendf(nil, `{"filenames":%s,"durationMs":%d,"numFiles":%d,"truncated":false}`,
				list, s.rng.IntN(90), bytes.Count(names, []byte{'\n'})+1),
		})
	}
}

// names returns paths, one on each line and as JSON.
func (s *session) names(size int) (lines, list []byte) {
	list = []byte("[")
	for len(lines) == 0 || len(lines) < size {
		name := s.file(s.language())
		if len(lines) > 0 {
			lines, list = append(lines, '\n'), append(list, ',')
		}
		lines, list = append(lines, name...), appendQuoted(list, name)
	}
	return lines, append(list, ']')
}

func todoWrite(s *session) func() {
	todos := []byte("[")
	for i := range 2 + s.rng.IntN(7) {
		if i > 0 {
			todos = append(todos, ',')
		}
		what := pick(s.rng, s.texts.commands)[2]
		where := " in " + pick(s.rng, s.texts.nouns) + "s/" + pick(s.rng, s.texts.nouns) + "_" +
			pick(s.rng, s.texts.nouns)
		todos = appendf(todos, `{"content":%q,"status":%q,"activeForm":%q}`, what+where,
			pick(s.rng, []string{"pending", "in_progress", "completed"}), "Now: "+what+where)
	}
	todos = append(todos, ']')
	c := s.call("TodoWrite", `{"todos":%s}`, todos)
	return func() {
		s.done(c, result{content: []byte("Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable"),
			structured: appendf(nil, `{"oldTodos":%s,"newTodos":%s}`, s.todos, todos)})
		s.todos = todos
	}
}

func taskCreate(s *session) func() {
	s.tasks++
	n, subject := s.tasks, pick(s.rng, s.texts.commands)[2]
	c := s.call("TaskCreate", `{"subject":%q,"description":%q,"activeForm":"Doing it"}`, subject, s.plain(120))
	return func() {
		s.done(c, result{
			content:    appendf(nil, "Task #%d created successfully: %s", n, subject),
			structured: appendf(nil, `{"task":{"id":"%d","subject":%q}}`, n, subject),
		})
	}
}

func taskUpdate(s *session) func() {
	n, status := 1+s.rng.IntN(max(1, s.tasks)), pick(s.rng, []string{"in_progress", "completed"})
	c := s.call("TaskUpdate", `{"taskId":"%d","status":%q}`, n, status)
	return func() {
		s.done(c, result{content: appendf(nil, "Updated task #%d status", n),
			structured: appendf(nil, `{"success":true,"taskId":"%d","updatedFields":["status"],"statusChange":{"from":"pending","to":%q}}`, n, status)})
	}
}

func webFetch(s *session) func() {
	c := s.call("WebFetch", `{"url":"https://example.org/%s","prompt":%q}`, s.hex(6), s.plain(180))
	return func() {
		text := s.markdown(fetchedSizes.pick(s.rng))
		s.done(c, result{
			content:    text,
			structured: appendf(nil, `{"bytes":%d,"code":200,"codeText":"OK","result":%q,"durationMs":%d,"url":"https://example.org/"}`, len(text)*7, text, s.rng.IntN(4000)),
		})
	}
}

func webSearch(s *session) func() {
	query := s.sentence()
	c := s.call("WebSearch", `{"query":%q}`, query)
	return func() {
		if s.v >= 201011 && s.v <= 201081 {
			s.record(s.last, `"type":"progress","data":{"type":"query_update","query":%q},"toolUseID":"search-progress-1","parentToolUseID":%q`, query, c.id)
			s.record(s.last, `"type":"progress","data":{"type":"search_results_received","resultCount":8,"query":%q},"toolUseID":"search-progress-2","parentToolUseID":%q`, query, c.id)
		}
		links, text := []byte("["), s.markdown(2400)
		for i := range 8 {
			if i > 0 {
				links = append(links, ',')
			}
			links = appendf(links, `{"title":%q,"url":"https://example.org/%s"}`, s.sentence(), s.hex(8))
		}
		links = append(links, ']')
		s.done(c, result{content: appendf(nil, "Web search results for query\n\nLinks: %s\n\n%s", links, text),
			structured: appendf(nil, `{"query":"lamps","results":[{"tool_use_id":%q,"content":%s},%q],"durationSeconds":%d}`, c.id, links, text, 1+s.rng.IntN(9))})
	}
}

func askUser(s *session) func() {
	question := s.plain(questionSizes.pick(s.rng))
	questions := appendf(nil, `[{"question":%q,"header":"Lamps","multiSelect":false,"options":[{"label":"All","description":%q},{"label":"Some","description":%q},{"label":"None","description":%q}]}]`,
		question, s.plain(90), s.plain(90), s.plain(90))
	c := s.call("AskUserQuestion", `{"questions":%s}`, questions)
	return func() {
		s.done(c, result{
			content:    appendf(nil, "User has answered your questions: \"%s\"=\"All\".", question),
			structured: appendf(nil, `{"questions":%s,"answers":{%q:"All"}}`, questions, question),
		})
	}
}

func exitPlan(s *session) func() {
	plan := s.markdown(planSizes.pick(s.rng))
	if s.v >= 201098 && !s.sidechain {
		s.attach(`"type":"plan_mode","reminderType":"full","isSubAgent":false,"planFilePath":"/home/mara/.claude/plans/count-the-lamps.md","planExists":false`)
	}
	c := s.call("ExitPlanMode", `{"plan":%q}`, plan)
	return func() {
		if s.rng.IntN(2) == 0 {
			text := []byte("The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).")
			s.done(c, result{content: text, failed: true, structured: []byte(`"User rejected tool use"`)})
			return
		}
		s.done(c, result{
			content: append([]byte("User has approved your plan. You can now start coding.\n\n## Approved Plan:\n"),
				plan...), structured: appendf(nil, `{"plan":%q,"isAgent":false}`, plan),
		})
		if s.v >= 201098 && !s.sidechain {
			s.attach(`"type":"plan_mode_exit","planFilePath":"/home/mara/.claude/plans/count-the-lamps.md","planExists":true`)
		}
	}
}

func skill(s *session) func() {
	c := s.call("Skill", `{"skill":"lantern-notes"}`)
	return func() {
		s.done(c, result{
			content:    []byte("Launching skill: lantern-notes"),
			structured: []byte(`{"success":true,"commandName":"lantern-notes"}`),
		})
		s.user(s.last,
			appendf(nil, `[{"type":"text","text":%q}]`,
				append([]byte("Base directory for this skill: /home/mara/.claude/skills/lantern-notes\n\n"),
					s.markdown(bodySizes.pick(s.rng))...)), appendf(nil, `,"isMeta":true,"sourceToolUseID":%q`, c.id))
	}
}

func toolSearch(s *session) func() {
	c := s.call("ToolSearch", `{"query":"select:WebFetch","max_results":5}`)
	return func() {
		s.done(c, result{
			content: []byte(`[{"type":"tool_reference","tool_name":"WebFetch"}]`), blocks: true,
			structured: []byte(`{"matches":["WebFetch"],"query":"select:WebFetch","total_deferred_tools":21}`),
		})
	}
}

func mcp(s *session) func() {
	c := s.call("mcp__lamps__count", `{"street":%q,"limit":%d}`, pick(s.rng, s.texts.commands)[2], s.rng.IntN(99))
	return func() {
		if s.v >= 201011 && s.v <= 201081 {
			for _, status := range []string{"started", "completed"} {
				s.record(s.last,
					`"type":"progress","data":{"type":"mcp_progress","status":%q,"serverName":"lamps","toolName":"count","elapsedTimeMs":%d},"toolUseID":%q,"parentToolUseID":%q`, status, s.rng.IntN(900), c.id, c.id)
			}
		}
		blocks := appendf(nil, `[{"type":"text","text":%q}]`,
			append(append([]byte("{"), cut(s.rng, s.texts.code["json"], outputSizes.pick(s.rng))...), '}'))
		s.done(c, result{content: blocks, blocks: true, structured: blocks})
	}
}
