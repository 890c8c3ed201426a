package inspect

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// resultsOf returns the metrics of a whole evaluation in words, "" if there are none. scores is results.scores of its
// log.
func resultsOf(scores jsontext.Value) string {
	var all []string
	for e := range transcript.Elements(scores) {
		var score sources.Object
		score.Read(e)
		var metrics []string
		for name, metric := range transcript.Members(score.Get("metrics")) {
			if value := transcript.TextOf(transcript.Field(metric, "value")); value != "" {
				metrics = append(metrics, name+" "+value)
			}
		}
		if len(metrics) > 0 {
			all = append(all, scorerOf(&score, "name")+": "+strings.Join(metrics, ", "))
		}
	}
	return strings.Join(all, "; ")
}

// scorerOf returns the name of a scorer, and how it reduces the scores of several epochs to one.
func scorerOf(o *sources.Object, name string) string {
	scorer := o.Text(name)
	if reducer := o.Text("reducer"); reducer != "" {
		scorer += " (" + reducer + ")"
	}
	return scorer
}

// reducedScores returns the scores of each sample over all its epochs, by its id, as arrays of {scorer, value}.
// reductions are those of a log.
func reducedScores(reductions jsontext.Value) map[string]jsontext.Value {
	all := make(map[string]jsontext.Value)
	for e := range transcript.Elements(reductions) {
		var reduction sources.Object
		reduction.Read(e)
		scorer := scorerOf(&reduction, "scorer")
		for s := range transcript.Elements(reduction.Get("samples")) {
			value := transcript.Field(s, "value")
			if value == nil {
				continue
			}
			id := transcript.TextOf(transcript.Field(s, "sample_id"))
			separator := byte(',')
			if all[id] == nil {
				separator = '['
			}
			all[id] = append(append(all[id], separator), sources.Make("scorer", scorer, "value", value)...)
		}
	}
	for id := range all {
		all[id] = append(all[id], ']')
	}
	return all
}

// reductionsIn returns the reductions in a log, which old versions have in its results.
func reductionsIn(log *sources.Object) jsontext.Value {
	if own := log.Get("reductions"); own != nil {
		return own
	}
	return transcript.Field(log.Get("results"), "sample_reductions")
}
