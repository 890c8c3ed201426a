package antigravity

// openCalls holds the calls without result. The results of a tool come in the order of its calls.
type openCalls struct {
	all    []openCall
	first  int              // all before it have their result
	byName map[string][]int // indexes in all of those without result, by tool
}

type openCall struct {
	id, name string
	taken    bool
}

func (o *openCalls) add(id, name string) {
	if o.byName == nil {
		o.byName = make(map[string][]int)
	}
	o.byName[name] = append(o.byName[name], len(o.all))
	o.all = append(o.all, openCall{id: id, name: name})
}

// take takes the first call of one of the tools.
func (o *openCalls) take(names []string) (id string, ok bool) {
	at := len(o.all)
	for _, name := range names {
		if waiting := o.byName[name]; len(waiting) > 0 {
			at = min(at, waiting[0])
		}
	}
	return o.takeAt(at)
}

// takeFirst takes the first call of any tool.
func (o *openCalls) takeFirst() (id string, ok bool) {
	for o.first < len(o.all) && o.all[o.first].taken {
		o.first++
	}
	return o.takeAt(o.first)
}

func (o *openCalls) takeAt(at int) (id string, ok bool) {
	if at == len(o.all) {
		return "", false
	}
	c := &o.all[at]
	c.taken = true
	o.byName[c.name] = o.byName[c.name][1:]
	return c.id, true
}
