#!/bin/sh
echo 1..3; echo "ok 1 a"; echo "not ok 2 b"; echo "ok 3 # SKIP no net"
