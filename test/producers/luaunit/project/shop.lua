local lu = require('luaunit')
TestShop = {}
function TestShop:testAdds() lu.assertEquals(2 + 2, 4) end
function TestShop:testFails() lu.assertEquals(2, 3, 'price differs') end
function TestShop:testErrors() error('no unit <x> & y ]]> z') end
function TestShop:testSkips() lu.skip('not now') end
function TestShop:testSkipIf() lu.skipIf(true, 'never here') end
function TestShop:testSuccess() lu.success() end
function TestShop:testPrints() print('said') end
function TestShop:testMsg() lu.fail('line one\nline two') end
TestSet = {}
function TestSet:setUp() error('no database') end
function TestSet:testNever() end
TestDown = {}
function TestDown:tearDown() error('cannot close') end
function TestDown:testIn() end
function testAlone() lu.assertTrue(true) end
os.exit(lu.LuaUnit.run())
