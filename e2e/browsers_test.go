package e2e

import (
	"strings"
	"sync"
	"testing"
)

// leases are the leases of the tests in TestFirefox, by name.
var leases sync.Map

// leaseOf returns the lease of the test t, or of the test that t is a part of.
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

// inFirefox reports whether a test runs in TestFirefox.
func inFirefox(t testing.TB) bool {
	_, is := leaseOf(t)
	return is
}

// firefoxOf returns the Firefox of such a test.
func firefoxOf(t testing.TB) (*firefox, error) {
	l, _ := leaseOf(t)
	return l.take()
}

// modesOf returns the modes of a test of many pages: all of them, but in Firefox only that with script. TestJenkinsSite
// opens pages without script there.
func modesOf(t testing.TB) []mode {
	if inFirefox(t) {
		return []mode{withScript}
	}
	return modes
}

// TestFirefox runs the tests of pages in Firefox that otherwise run in Chromium, and tests of what differs between
// browsers. Not included are tests that need features of Chromium (printing, memory, CPU time, layout shifts), and
// those of what browsers agree about: the elements, names and roles that axe-core checks, and the order of results.
func TestFirefox(t *testing.T) {
	t.Parallel()
	if _, err := findFirefox(); err != nil {
		lacks(t, "%v", err)
	}
	for _, test := range []struct {
		name string
		run  func(*testing.T)
	}{
		// every page, and the checks of bad ones
		{"SitePages", TestSitePages},
		{"GoodPage", TestGoodPage},
		{"FilesCannotReadOthers", TestFilesCannotReadOthers},
		{"BadPage", TestBadPage},
		{"SessionDetails", TestSessionDetails},
		{"Notes", TestNotes},
		{"ForcedColours", TestForcedColours},
		{"Overlap", TestOverlap},
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
		// navigation
		{"Keys", TestKeys},
		{"KeysBetweenPages", TestKeysBetweenPages},
		{"KeysHelp", TestKeysHelp},
		{"KeysTheme", TestKeysTheme},
		{"Tab", TestTab},
		{"TabIntoScrollers", TestTabIntoScrollers},
		{"Touch", TestTouch},
		{"Failures", TestFailures},
		{"Pane", TestPane},
		{"LaterPage", TestLaterPage},
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
		{"ComparisonPages", TestComparisonPages},
		{"SearchForeign", TestSearchForeign},
		// the index
		{"IndexFilter", TestIndexFilter},
		{"IndexFacets", TestIndexFacets},
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
		// single files
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
