npm=(codeceptjs@4.1.0)
run() { local code=0; npx codeceptjs run || code=$?; mv output/report.xml report.xml; return $code; }
