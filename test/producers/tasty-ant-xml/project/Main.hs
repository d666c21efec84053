import Test.Tasty
import Test.Tasty.HUnit
import Test.Tasty.QuickCheck as QC
import Test.Tasty.Runners.AntXML
import Control.Concurrent
import Control.Exception
main = defaultMainWithIngredients (antXMLRunner : defaultIngredients) tests
tests = testGroup "shop"
  [ testCase "adds" $ 2 + 2 @?= 4
  , testCase "fails" $ assertEqual "price differs" 2 3
  , testCase "errors" $ throwIO (userError "no unit")
  , localOption (mkTimeout 100000) $ testCase "slow" $ threadDelay 2000000
  , QC.testProperty "reverses" (\xs -> reverse (reverse xs) == (xs :: [Int]))
  , testGroup "cart" [ testCase "adds" $ return (), testCase "adds" $ assertFailure "second" , testGroup "deep" [testCase "x" $ threadDelay 50000] ]
  , withResource (throwIO (userError "no database") :: IO ()) (const (return ())) $ \_ -> testCase "with resource" $ return ()
  , after AllSucceed "fails" $ testCase "depends" $ return ()
  ]
