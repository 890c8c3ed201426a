package sitegen

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// outputs are the files of a site.
type outputs struct {
	all []knownOutput
	at  map[string]int // where in all a name is: made when somebody asks for one, which no build does that changes nothing
}

// A knownOutput is a file of the site as it was left.
type knownOutput struct {
	name      string // below the top of the site, with forward slashes
	Size, Mod int64  // Size is -1 when it was not there
	made      int    // in which build of this program last
	looked    int    // in which build it was last seen to be as it was left
}

// find is the file of that name, nil when there is none. It is good until the next is added.
func (o *outputs) find(name string) *knownOutput {
	if o.at == nil {
		o.at = make(map[string]int, len(o.all)+len(o.all)/8)
		for i := range o.all {
			o.at[o.all[i].name] = i
		}
	}
	i, ok := o.at[name]
	if !ok {
		return nil
	}
	return &o.all[i]
}

// add is find that adds a file which is not known, and not there yet.
func (o *outputs) add(name string) *knownOutput {
	if k := o.find(name); k != nil {
		return k
	}
	o.at[name] = len(o.all)
	o.all = append(o.all, knownOutput{name: name, Size: -1})
	return &o.all[len(o.all)-1]
}

// keep leaves out the files of which it does not hold.
func (o *outputs) keep(holds func(*knownOutput) bool) {
	n := len(o.all)
	o.all = slices.DeleteFunc(o.all, func(k knownOutput) bool { return !holds(&k) })
	if len(o.all) < n {
		o.at = nil
	}
}

// look finds out on all cores which files are as the last build left them.
func (o *output) look() {
	const some = 64 // that are looked at in a row
	all := o.known.all
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(all)/some+1) {
		group.Go(func() {
			for {
				end := int(next.Add(some))
				for i := end - some; i < min(end, len(all)); i++ {
					if k := &all[i]; k.Size >= 0 && o.is(k) {
						k.looked = o.turn
					}
				}
				if end >= len(all) {
					return
				}
			}
		})
	}
	group.Wait()
}

// whole says that look found all files.
func (o *output) whole() bool {
	return !slices.ContainsFunc(o.known.all, func(k knownOutput) bool { return k.looked != o.turn })
}

// is looks at one file. What a link at its end would lead to is not looked at: a
// regular file is all that counts.
func (o *output) is(k *knownOutput) bool {
	info, err := os.Lstat(filepath.Join(o.dir, filepath.FromSlash(k.name)))
	return err == nil && info.Mode().IsRegular() && info.Size() == k.Size && info.ModTime().UnixNano() == k.Mod
}
