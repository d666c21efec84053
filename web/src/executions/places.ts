/** The position of each line among its siblings, and how many these are: the page has only some of the lines. */
export function placesOf(nodes: readonly { depth: number }[]) {
  /** Last siblings of each depth down to the line. */
  const open: { count: number }[] = []
  return nodes.map(({ depth }) => {
    open.length = depth + 1
    const siblings = open[depth] ?? { count: 0 }
    open[depth] = siblings
    return { position: ++siblings.count, siblings }
  })
}
