int price(int units) {
  if (units < 0)
    return 0;
  return units * 2;
}
int never() {
  return 1;
}
int main() {
  return price(2) == 4 ? 0 : 1;
}
