npm=(newman@6.2.2)
run() { node run.mjs; }
