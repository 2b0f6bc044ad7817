/** That of the shop. In the browser only. */
export function readTimeZone() {
  return document.querySelector<HTMLMetaElement>('meta[name="time-zone"]')!.content
}
