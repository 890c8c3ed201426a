package sitegen

import (
	"cmp"

	"viewer/internal/fingerprint"
	"viewer/internal/insights"
	"viewer/internal/sitegen/state"
)

// An insightPart is some sessions of a project. The sum of their insights is kept in the state, because a build changes
// few sessions, and the page of the site adds up all.
type insightPart struct {
	key      fingerprint.Digest // hash of their insights
	sessions []int32            // their indexes in the list
}

// maxInsightPart is the maximum number of sessions in a part.
const maxInsightPart = 256

// insightParts divides the sessions of a project, the newest first. The first part has the oldest, so that a new
// session changes only the last one.
func (b *indexBuild) insightParts(sessions []int32) []insightPart {
	var all []insightPart
	most := cmp.Or(b.insightPart, maxInsightPart)
	for end := len(sessions); end > 0; end -= most {
		part := insightPart{sessions: sessions[max(0, end-most):end]}
		key := newLongKey()
		for _, i := range part.sessions {
			key.Digest(b.list.session(i).InsightsKey())
		}
		part.key = key.digest()
		if sum, is := b.old.InsightSums[part.key]; is && !b.Force && !b.Verify {
			b.keepInsights(part, sum)
		}
		all = append(all, part)
	}
	return all
}

// addInsights adds the insights of a part to those of a page.
func (b *indexBuild) addInsights(total *insights.Total, part insightPart) {
	sum, is := b.next.InsightSums[part.key]
	if !is {
		own := new(insights.Total)
		var rows []insights.Row // of one session after the other
		for i, at := range part.sessions {
			s := b.list.session(at).Insights(rows[:0])
			own.Add(i, &s)
			rows = s.Rows
		}
		sum = state.NewInsightSum(own)
		if !b.builtBefore { // otherwise the spool would grow with each build
			sum.Spool(&b.site.details)
		}
		b.keepInsights(part, sum)
	}
	sum.AddTo(total, part.sessions)
}

// maxSummed is the maximum number of sessions whose sums are kept. Those of more take too much memory.
const maxSummed = 64 << 10

// keepInsights keeps the sum of a part for the next build.
func (b *indexBuild) keepInsights(part insightPart, sum state.InsightSum) {
	if b.list.Len() <= maxSummed {
		b.next.InsightSums[part.key] = sum
	}
}
