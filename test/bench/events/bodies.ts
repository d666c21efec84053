/** An event as a monitoring agent sends it. @param n decides its fingerprint */
export const eventText = (n: number | string): string =>
  `{"title":"Disk ${n} is filling up","fingerprintFields":["@title"],"severity":"WARN","status":"OPEN","message":"91 % used","source":{"ref":"disk-${n}","type":"disk"},"tags":["storage"],"properties":{"mount":"/var","percent":91}}`

/** The same as an alert of Alertmanager, whose labels are its fingerprint. */
export const alertText = (n: number): string =>
  `[{"labels":{"alertname":"Disk ${n} is filling up","severity":"warning","instance":"disk-${n}","type":"disk","tag":"storage"},"annotations":{"description":"91 % used","mount":"/var","percent":"91"}}]`

/** Bodies of so many events, in an array if there are several. @param fingerprints how many different ones there are */
export function bodies(eventsPerBody: number, fingerprints = Number.POSITIVE_INFINITY) {
  let next = 0
  const one = () => eventText(next++ % fingerprints)
  if (eventsPerBody === 1) return one
  return () => `[${Array.from({ length: eventsPerBody }, one).join(',')}]`
}

/** Alerts of different labels. */
export function alerts() {
  let next = 0
  return () => alertText(next++)
}
