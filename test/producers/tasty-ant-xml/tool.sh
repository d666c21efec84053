debian=(libghc-tasty-dev=1.4.2.3-1+b2 libghc-tasty-hunit-dev=0.10.0.3-1+b1 libghc-tasty-quickcheck-dev=0.10.2-1+b2 libghc-tasty-ant-xml-dev=1.1.8-2+b3)
run() { ghc -O0 Main.hs -o tests && ./tests --xml=report.xml; }
