package export

// A Net is the size of what a session changed, in JSON. Its fields are those of changes.Net.
type Net struct {
	Files          int `json:"netFiles"`
	Added          int `json:"netAdded"` // lines by calls
	Removed        int `json:"netRemoved"`
	UnknownAdded   int `json:"unknownAdded"` // in the same files by somebody else
	UnknownRemoved int `json:"unknownRemoved"`
}
