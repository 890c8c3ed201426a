package e2e

import (
	"strings"
	"sync"
	"testing"
)

// leases are what the tests of TestFirefox have, by name.
var leases sync.Map

// leaseOf is the lease of the test that t is, or is a part of.
func leaseOf(t testing.TB) (lease, bool) {
	parts := strings.SplitN(t.Name(), "/", 3)
	if len(parts) < 2 {
		return lease{}, false
	}
	found, ok := leases.Load(parts[0] + "/" + parts[1])
	if !ok {
		return lease{}, false
	}
	return found.(lease), true
}

// inFirefox says whether a test is one of those that TestFirefox runs.
func inFirefox(t testing.TB) bool {
	_, is := leaseOf(t)
	return is
}

// firefoxOf is the Firefox of such a test.
func firefoxOf(t testing.TB) (*firefox, error) {
	l, _ := leaseOf(t)
	return l.take()
}

// TestFirefox runs in Firefox what by itself runs in Chromium: all walks over pages, and what browsers do differently.
// What only Chromium can tell or be told is not among it: paper, memory, work of a thread, shifts of layout.
func TestFirefox(t *testing.T) {
	t.Parallel()
	if _, err := findFirefox(); err != nil {
		lacks(t, "%v", err)
	}
	for _, test := range []struct {
		name string
		run  func(*testing.T)
	}{
		// every page, and what is wrong with bad ones
		{"SitePages", TestSitePages},
		{"GoodPage", TestGoodPage},
		{"FilesAreApart", TestFilesAreApart},
		{"BadPage", TestBadPage},
		{"Accessible", TestAccessible},
		{"AccessibleParts", TestAccessibleParts},
		{"Inaccessible", TestInaccessible},
		{"SmallThings", TestSmallThings},
		{"Notes", TestNotes},
		{"ForcedColours", TestForcedColours},
		{"NamedApart", TestNamedApart},
		// levels, folds and links
		{"Place", TestPlace},
		{"PlaceOfCall", TestPlaceOfCall},
		{"OpenAll", TestOpenAll},
		{"SiteLevels", TestSiteLevels},
		{"SiteRemembersLevel", TestSiteRemembersLevel},
		{"SiteFolding", TestSiteFolding},
		{"SiteDeepLinks", TestSiteDeepLinks},
		{"Story", TestStory},
		{"RowsSayPurpose", TestRowsSayPurpose},
		{"PaintLateStyle", TestPaintLateStyle},
		// ways to go about
		{"Keys", TestKeys},
		{"KeysBetweenPages", TestKeysBetweenPages},
		{"KeysHelp", TestKeysHelp},
		{"KeysTheme", TestKeysTheme},
		{"Tab", TestTab},
		{"TabIntoScrollers", TestTabIntoScrollers},
		{"Touch", TestTouch},
		{"Failures", TestFailures},
		{"Pane", TestPane},
		{"PagesAreOne", TestPagesAreOne},
		// prompts and copies
		{"PromptsDrawn", TestPromptsDrawn},
		{"PromptSource", TestPromptSource},
		{"Copy", TestCopy},
		{"CopyTurn", TestCopyTurn},
		{"CopyMarkdownForms", TestCopyMarkdownForms},
		// search
		{"Find", TestFind},
		{"FindFolds", TestFindFolds},
		{"FindInFolds", TestFindInFolds},
		{"FindInChangedPage", TestFindInChangedPage},
		{"FindInFile", TestFindInFile},
		{"Search", TestSearch},
		{"SearchTerms", TestSearchTerms},
		{"SearchAnswers", TestSearchAnswers},
		{"Matrix", TestMatrix},
		{"ComparisonPages", TestComparisonPages},
		{"SearchRanks", TestSearchRanks},
		{"SearchForeign", TestSearchForeign},
		// the index
		{"IndexFilter", TestIndexFilter},
		{"IndexFacets", TestIndexFacets},
		{"IndexOrder", TestIndexOrder},
		{"IndexPlain", TestIndexPlain},
		{"IndexMinor", TestIndexMinor},
		{"IndexSparse", TestIndexSparse},
		{"IndexNeverShowsOthers", TestIndexNeverShowsOthers},
		{"IndexNeverFlashesOthers", TestIndexNeverFlashesOthers},
		// served pages
		{"LiveFollow", TestLiveFollow},
		{"LivePages", TestLivePages},
		{"LiveIndex", TestLiveIndex},
		{"LiveTabs", TestLiveTabs},
		// one file
		{"Encrypted", TestEncrypted},
		{"EncryptedForm", TestEncryptedForm},
		{"EncryptedList", TestEncryptedList},
		{"SingleFile", TestSingleFile},
		{"JenkinsSite", TestJenkinsSite},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLease()
			leases.Store(t.Name(), l)
			t.Cleanup(l.back)
			test.run(t)
		})
	}
}
