/** Of a sitemap. */
export function xmlResponse(root: 'urlset' | 'sitemapindex', entries: string[]) {
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</${root}>
`
  const headers = {
    'Content-Type': 'application/xml; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
  }
  return new Response(body, { headers })
}
