package markup

func tame(text string) bool { return true }
