debian=(libtest-bdd-cucumber-perl=0.83-1)
run() { pherkin -o JSON features > report.json; }
