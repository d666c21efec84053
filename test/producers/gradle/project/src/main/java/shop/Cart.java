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

  public int discount(int percent) {
    return sum - sum * percent / 100;
  }
}
