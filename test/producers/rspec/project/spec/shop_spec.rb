RSpec.describe 'Shop' do
  it('adds') { puts 'printed'; expect(2 + 2).to eq(4) }
  it('fails') { expect(2 + 2).to eq(5), 'price differs' }
  it('fails twice', :aggregate_failures) { expect(1).to eq(2); expect(3).to eq(4) }
  it('raises') { raise KeyError, 'no such unit' }
  it('left out', skip: 'not today') { raise }
  it 'waits'
  it('is known to fail', pending: 'SHOP-1') { expect(1).to eq(2) }
  it('is no longer broken', pending: 'SHOP-2') { expect(1).to eq(1) }
  [2, 4].each { |net| it("costs #{net}") { expect(net).to eq(2) } }
  context 'cart' do
    it('nested') { expect(1).to eq(1) }
  end
  context 'cannot begin' do
    before { raise 'no database' }
    it('never runs') { }
  end
  context 'cannot end' do
    after(:context) { raise 'cannot close' }
    it('runs') { }
  end
end
