const ZONES = {
  domestic: { base: 490, perKilogram: 80 },
  continental: { base: 1290, perKilogram: 240 },
}

/** The price of a parcel in cents; every started kilogram counts. */
export function quote({ zone, grams }) {
  const price = ZONES[zone]
  if (!price) {
    throw new RangeError(`No carrier serves the zone "${zone}"`)
  }
  return price.base + Math.ceil(grams / 1000) * price.perKilogram
}
