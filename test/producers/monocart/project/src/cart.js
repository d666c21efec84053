export function add(a, b) {
  if (b < 0) {
    throw new Error('no price')
  }
  return a + b
}

export const unused = () => {
  return 1
}
