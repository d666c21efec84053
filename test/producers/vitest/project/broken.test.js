import './no-such-file.js'
