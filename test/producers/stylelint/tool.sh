npm=(stylelint@16.26.1 stylelint-junit-formatter@0.2.2)
run() { node_modules/.bin/stylelint --custom-formatter stylelint-junit-formatter -o report.xml '*.css'; }
