npm=(@wdio/cli@9.32.0 @wdio/local-runner@9.32.0 @wdio/mocha-framework@9.32.0 @wdio/junit-reporter@9.32.0)
run() { node run.js; }
