package render

// PowerShell is Bash on Windows, with the same input and result.
var _ = register(tools, "PowerShell", "bash", viewBash)
