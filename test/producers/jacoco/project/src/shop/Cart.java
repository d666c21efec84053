package shop;

public class Cart {
  private int sum;

  public void add(int price) {
    if (price < 0) {
      throw new IllegalArgumentException("no price: " + price);
    }
    sum += price;
  }

  public int sum() {
    return sum;
  }

  public static class Discount {
    public int of(int sum, int percent) {
      return sum - sum * percent / 100;
    }
  }

  public static void main(String[] args) {
    Cart cart = new Cart();
    cart.add(2);
    System.out.println(cart.sum());
  }
}
