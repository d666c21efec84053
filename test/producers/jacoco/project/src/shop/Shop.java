package shop;

/** Nothing of it runs. */
public class Shop {
  public int open() {
    return 8;
  }
}
