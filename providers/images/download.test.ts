import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { maxPictureBytes } from '#shop/pictures/picture.ts'
import { openPhotoHost, photoURL } from '#test/photo-host.ts'
import { createDownload } from './download.ts'
import { isPublicAddress } from './public-address.ts'

const opened: { stop(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((host) => host.stop()))
})

async function setUp(paths: Parameters<typeof openPhotoHost>[0]) {
  const host = await openPhotoHost(paths)
  opened.push(host)
  return host
}

const picture = new Blob(['a picture'])
const refused = { code: 'invalid', message: 'We couldn’t load a photo from this address. Use another one.' }
const redirectTo =
  (location: string): Parameters<typeof openPhotoHost>[0][string] =>
  (_request, response) =>
    response.writeHead(302, { location }).end()

/** Resets the TCP connection below TLS. */
function reset(request: IncomingMessage) {
  ;(request.socket as unknown as { _parent: Socket })._parent.resetAndDestroy()
}

test('a download returns the content of an https address, also over three redirects', async () => {
  const { download } = await setUp({
    'photos.example/ada.jpg?size=1': picture,
    'photos.example/1': redirectTo('/2'),
    'photos.example/2': redirectTo('https://cdn.photos.example/3'),
    'cdn.photos.example/3': redirectTo(`${photoURL}?size=1`),
    'photos.example/0': redirectTo('/1'),
    'photos.example/loop': redirectTo('/loop'),
  })
  expect(await (await download(`${photoURL}?size=1`)).text()).toBe('a picture')
  expect(await (await download('https://photos.example/1')).text()).toBe('a picture')
  await expect(download('https://photos.example/0')).rejects.toMatchObject(refused)
  await expect(download('https://photos.example/loop')).rejects.toMatchObject(refused)
})

test('a download rejects http, credentials and ports without a connection, also in a redirect', async () => {
  const addresses = [
    'http://photos.example/ada.jpg',
    'https://ada:secret@photos.example/ada.jpg',
    'https://photos.example:8443/ada.jpg',
    'https://photos.example:80/ada.jpg',
    'ftp://photos.example/ada.jpg',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    '/images/ada.webp',
    'nonsense',
  ]
  const { download, requests } = await setUp(
    Object.fromEntries(addresses.map((address, i) => [`photos.example/${i}`, redirectTo(address)])),
  )
  for (const address of addresses) await expect(download(address), address).rejects.toMatchObject(refused)
  expect(requests).toEqual([])
  for (const [i, address] of addresses.entries())
    await expect(download(`https://photos.example/${i}`), address).rejects.toMatchObject(refused)
  // The path of the same host and the relative one are only not found.
  expect(new Set(requests)).not.toContain('photos.example/ada.jpg')
})

test('a download rejects an unknown host name and one with any non-public address', async () => {
  const { settings, requests } = await setUp({ 'photos.example/ada.jpg': picture })
  for (const addresses of [['10.0.0.1'], ['127.0.0.1', '169.254.169.254'], ['127.0.0.1', '::1'], []]) {
    const download = createDownload({ ...settings, resolve: async () => addresses })
    await expect(download(photoURL), String(addresses)).rejects.toMatchObject(refused)
  }
  expect(requests).toEqual([])
})

test('a download rejects a non-public address in any notation', async () => {
  const { settings, state } = await setUp({})
  const download = createDownload({ port: settings.port })
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::1]', '[::ffff:127.0.0.1]'])
    await expect(download(`https://${host}/`), host).rejects.toMatchObject(refused)
  expect(state.connections).toBe(0)
})

test('a download does not follow a redirect to an address that is not public', async () => {
  const { settings, requests } = await setUp({
    'photos.example/address': redirectTo('https://169.254.169.254/latest/meta-data/'),
    'photos.example/name': redirectTo('https://internal.photos.example/ada.jpg'),
    'internal.photos.example/ada.jpg': picture,
  })
  const resolve = async (host: string) => [host === 'photos.example' ? '127.0.0.1' : '192.168.0.1']
  const download = createDownload({ ...settings, resolve })
  await expect(download('https://photos.example/address')).rejects.toMatchObject(refused)
  await expect(download('https://photos.example/name')).rejects.toMatchObject(refused)
  expect(requests).toEqual(['photos.example/address', 'photos.example/name'])
})

test('a download connects to the address that was checked, although the name leads elsewhere by then', async () => {
  const { settings } = await setUp({ 'photos.example/ada.jpg': picture })
  const answers = [['127.0.0.1'], ['192.168.0.1']]
  const lookups: string[] = []
  const resolve = async (host: string) => {
    lookups.push(host)
    return answers.shift() ?? []
  }
  const download = createDownload({ ...settings, resolve })
  expect(await (await download(photoURL)).text()).toBe('a picture')
  expect(lookups).toEqual(['photos.example'])
  await expect(download(photoURL)).rejects.toMatchObject(refused)
})

test('a download rejects a certificate of another host', async () => {
  const { settings, requests } = await setUp({ 'photos.example/ada.jpg': picture })
  await expect(createDownload(settings)('https://other.example/ada.jpg')).rejects.toMatchObject(refused)
  const { ca: _, ...publicAuthorities } = settings
  await expect(createDownload(publicAuthorities)(photoURL)).rejects.toMatchObject(refused)
  expect(requests).toEqual([])
})

test('a download stops reading a response above 10 MB', async () => {
  const sent = { bytes: 0 }
  const { download } = await setUp({
    'photos.example/just': new Blob([new Uint8Array(maxPictureBytes)]),
    'photos.example/more': new Blob([new Uint8Array(maxPictureBytes + 1)]),
    'photos.example/endless': (_request, response) => {
      const send = () => {
        do sent.bytes += 65_536
        while (response.write(new Uint8Array(65_536)))
      }
      response.on('drain', send)
      send()
    },
  })
  expect((await download('https://photos.example/just')).size).toBe(maxPictureBytes)
  await expect(download('https://photos.example/more')).rejects.toMatchObject(refused)
  await expect(download('https://photos.example/endless')).rejects.toMatchObject(refused)
  expect(sent.bytes).toBeLessThan(3 * maxPictureBytes)
})

test('a download times out when the host, its name server or its response stalls', async () => {
  const { settings, requests } = await setUp({
    'photos.example/silent': () => {},
    'photos.example/stalls': (_request, response) => response.writeHead(200).write('half a'),
    'photos.example/ends': (_request, response) => {
      response.writeHead(200, { 'content-length': 900 }).write('half a', () => response.destroy())
    },
    'photos.example/resets': (request, response) => {
      response.writeHead(200).write('half a', () => reset(request))
    },
  })
  const timeoutMs = 300
  for (const path of ['silent', 'stalls'])
    for (const limit of [{ timeoutMs }, { idleMs: 300 }])
      await expect(
        createDownload({ ...settings, ...limit })(`https://photos.example/${path}`),
        path,
      ).rejects.toMatchObject(refused)
  for (const path of ['ends', 'resets'])
    await expect(createDownload(settings)(`https://photos.example/${path}`), path).rejects.toMatchObject(
      refused,
    )
  expect(requests.filter((path) => /ends|resets/.test(path))).toHaveLength(2)

  const resolve = (_host: string, signal: AbortSignal) =>
    new Promise<string[]>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  await expect(createDownload({ ...settings, timeoutMs, resolve })(photoURL)).rejects.toMatchObject(refused)
})

test('a download rejects any status but 200', async () => {
  const { download } = await setUp({
    'photos.example/500': (_request, response) => response.writeHead(500).end('a picture'),
    'photos.example/204': (_request, response) => response.writeHead(204).end(),
    'photos.example/302': (_request, response) => response.writeHead(302).end('a picture'),
  })
  for (const path of ['500', '204', '302', 'missing'])
    await expect(download(`https://photos.example/${path}`), path).rejects.toMatchObject(refused)
})

test('isPublicAddress excludes every special range', () => {
  const special = [
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '100.127.255.255',
      '127.0.0.1',
      '169.254.169.254',
      '172.31.255.255',
    ],
    ...['192.0.0.192', '192.0.2.1', '192.168.1.1', '198.19.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
    ...['240.0.0.1', '255.255.255.255', '168.63.129.16', '192.88.99.1'],
    ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '64:ff9b:1::1'],
    ...[
      '100::1',
      '2001::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '3fff::1',
      '5f00::1',
      'fc00::1',
      'fd00:ec2::254',
    ],
    ...['fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', 'photos.example', ''],
  ]
  expect(special.filter(isPublicAddress)).toEqual([])
  const ordinary = ['1.1.1.1', '100.63.255.255', '100.128.0.1', '172.32.0.1', '223.255.255.255']
  const all = [...ordinary, '2606:4700:4700::1111', '2a00:1450:4001:82a::2001', '2003::1']
  expect(all.filter((address) => !isPublicAddress(address))).toEqual([])
})
