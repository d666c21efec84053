/** A browser: what it was given, it sends. @param headers of a proxy in front */
export function browserAt(url: string, headers: Record<string, string> = {}) {
  const jar = new Map<string, string>()
  return {
    jar,
    async get(path: string) {
      const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
      const response = await fetch(url + path, {
        redirect: 'manual',
        headers: { ...headers, cookie },
      })
      for (const each of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
        if (/Max-Age=0(;|$)/.test(each)) jar.delete(name)
        else jar.set(name, value)
      }
      const text = await response.text()
      return {
        status: response.status,
        location: response.headers.get('location') ?? '',
        refresh: response.headers.get('refresh'),
        text,
      }
    },
  }
}
