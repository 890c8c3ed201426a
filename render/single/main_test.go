package single

import (
	"os"
	"testing"

	"viewer/internal/testing/contained"
)

func TestMain(m *testing.M) { os.Exit(contained.Run(m)) }
