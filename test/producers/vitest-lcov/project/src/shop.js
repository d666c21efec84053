export function price(net) {
  if (net < 0) {
    return 0
  }
  return net * 2
}

export function unused() {
  return 1
}
