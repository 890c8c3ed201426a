package tools

import "viewer/internal/fields"

var _ = register(Tool{Name: "LS", Icon: "folder", Action: Read, Describe: describeLS})

func describeLS(c *Call) error {
	var in struct {
		Path fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Target, c.Rest = c.Short(string(in.Path)), in.Rest
	if !c.failed() {
		c.read(Section{Text: c.text()})
	}
	return nil
}
