require 'minitest/autorun'
require 'minitest/reporters'

Minitest::Reporters.use! [Minitest::Reporters::JUnitReporter.new('reports')]

class ShopTest < Minitest::Test
  def test_adds
    puts 'printed'
    assert_equal 4, 2 + 2
  end

  def test_fails
    assert_equal 5, 2 + 2, 'price differs'
  end

  def test_raises
    raise ArgumentError, 'no such unit'
  end

  def test_left_out
    skip 'not today'
  end

  def test_passes_and_cannot_end
    @open = true
    assert true
  end

  def teardown
    raise 'cannot close' if @open
  end

  [2, 3].each { |price| define_method("test_costs_#{price}") { assert_equal 2, price } }
end

class BrokenTest < Minitest::Test
  def setup
    raise 'no database'
  end

  def test_never_runs; end
end

describe 'cart' do
  describe 'deep' do
    it('adds') { _(1 + 1).must_equal 2 }
  end
end
