debian=(bats=1.8.2-1)
run() { bats --formatter junit setup.bats shop.bats > report.xml; }
