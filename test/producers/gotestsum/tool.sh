debian=(gotestsum=1.8.2-1+b3 golang-go=2:1.19~1)
run() { GOFLAGS=-mod=mod GOTOOLCHAIN=local gotestsum --junitfile report.xml --rerun-fails=1 --packages ./... -- -count=1; }
