package render

import "testing"

func TestSpoken(t *testing.T) {
	for in, want := range map[field]field{
		{Name: "timeout", Value: "120000"}:          {Name: "timeout", Value: "2 min"},
		{Name: "timeout", Value: "90000"}:           {Name: "timeout", Value: "90 s"},
		{Name: "timeout", Value: "7200000"}:         {Name: "timeout", Value: "2 h"},
		{Name: "timeout", Value: "1500"}:            {Name: "timeout", Value: "1500 ms"},
		{Name: "timeout", Value: "long"}:            {Name: "timeout", Value: "long"},
		{Name: "timeout", Value: "0"}:               {Name: "timeout", Value: "0"},
		{Name: "delaySeconds", Value: "240"}:        {Name: "after", Value: "4 min"},
		{Name: "delaySeconds", Value: "soon"}:       {Name: "after", Value: "soon"},
		{Name: "run_in_background", Value: "true"}:  {Name: "in background", Value: "yes"},
		{Name: "run_in_background", Value: "maybe"}: {Name: "in background", Value: "maybe"},
		{Name: "output_mode", Value: "content"}:     {Name: "lists", Value: "lines"},
		{Name: "output_mode", Value: "new"}:         {Name: "lists", Value: "new"},
		{Name: "-A", Value: "3"}:                    {Name: "lines after", Value: "3"},
		{Name: "novel", Value: "true"}:              {Name: "novel", Value: "true"},
		{Name: "context", Value: "all", Long: true}: {Name: "context", Value: "all", Long: true},
	} {
		if got := inWords([]field{in})[0]; got != want {
			t.Errorf("%+v: got %+v, want %+v", in, got, want)
		}
	}
}
