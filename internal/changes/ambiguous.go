package changes

// markAmbiguous marks equal lines as of an unknown writer if either of them may be the new one. If a group of new lines
// could as well be one line higher or lower, the line that it would then leave out may be the new one. If a group of
// removed lines could, the line that stayed may be another one.
func markAmbiguous(old, new version, floor int, spans []span, by Writer) {
	floor0, floor1 := floor, floor
	for n, s := range spans {
		next := span{from0: len(old.lines), from1: len(new.lines)}
		if n+1 < len(spans) {
			next = spans[n+1]
		}
		switch {
		case s.from0 == s.to0:
			lines := new.texts[floor1:next.from1]
			g := groupAt(lines, s.from1-floor1, s.to1-floor1, 0, len(lines))
			if g.clear(lines) {
				break
			}
			for i := 1; i <= g.up; i++ {
				mergeWriters(&new.lines[s.from1-i], &new.lines[s.to1-i], by)
			}
			for i := range g.down {
				mergeWriters(&new.lines[s.to1+i], &new.lines[s.from1+i], by)
			}
		case s.from1 == s.to1:
			lines := old.texts[floor0:next.from0]
			g := groupAt(lines, s.from0-floor0, s.to0-floor0, 0, len(lines))
			if g.clear(lines) {
				break
			}
			for i := 1; i <= g.up; i++ {
				survive(&new.lines[s.from1-i], old.lines[s.to0-i])
			}
			for i := range g.down {
				survive(&new.lines[s.to1+i], old.lines[s.from0+i])
			}
		}
		floor0, floor1 = s.to0, s.to1
	}
}

// clear reports whether the position of the group is clearly better than others.
func (g group) clear(lines []string) bool {
	shift, alone := g.best(lines)
	return shift == 0 && alone
}

// mergeWriters sets who wrote two equal lines of which one is new. If their writers differ, it is unknown.
func mergeWriters(old, new *entry, by Writer) {
	if old.by == new.by || new.by != by {
		return
	}
	new.by, new.words = Unknown, Unknown
	if old.by >= 0 {
		old.by, old.words = Unknown, Unknown
	}
}

// survive sets who wrote a line that stayed if an equal line may have stayed instead.
func survive(stayed *entry, gone entry) {
	if stayed.by != gone.by && stayed.by >= 0 {
		stayed.by, stayed.words = Unknown, Unknown
	}
}
