package plan

// Orders returns the copies that go through an order of operations.
func (p *Plan) Orders() []Copy {
	var all []Copy
	for _, c := range p.Copies {
		if c.Order > 0 {
			all = append(all, c)
		}
	}
	return all
}

// StepsOf returns the numbers of the steps on each copy, its create first.
func (p *Plan) StepsOf() map[string][]int {
	all := map[string][]int{}
	for _, stage := range p.Stages {
		for _, s := range stage.Steps {
			if s.Copy != "" {
				all[s.Copy] = append(all[s.Copy], s.Number)
			}
		}
	}
	return all
}
