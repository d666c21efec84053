raise RuntimeError('does not load')
