import type { IdentitySettings } from '#shop/ports.ts'

const reader = { email: 'ada@example.com', password: 'your password' }

/** Shell commands that leave the shop's token in TOKEN; in the demo, that of its customer. */
export function writeSignIn(origin: string, identity: IdentitySettings, account = reader): string {
  return `EMAIL='${account.email}'
PASSWORD='${account.password}'
${identity.kind === 'embedded' ? embedded(origin) : firebase(identity)}
TOKEN=$(curl -s "${origin}/api/user/$EMAIL" -X PUT \\
  -H "Authorization: Bearer $ID_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"email": "'"$EMAIL"'"}' | ${readField('token')})`
}

const credentials = `"email": "'"$EMAIL"'", "password": "'"$PASSWORD"'"`

function embedded(origin: string) {
  return `curl -s -o /dev/null -c cookies.txt "${origin}/identity/sign-in/email" \\
  -H "Origin: ${origin}" \\
  -H "Content-Type: application/json" \\
  -d '{${credentials}}'
ID_TOKEN=$(curl -s -b cookies.txt "${origin}/identity/token" | ${readField('token')})`
}

function firebase({ apiKey, emulator }: Extract<IdentitySettings, { kind: 'firebase' }>) {
  const host = `${emulator ? `${emulator.replace(/\/$/, '')}/` : 'https://'}identitytoolkit.googleapis.com`
  return `ID_TOKEN=$(curl -s "${host}/v1/accounts:signInWithPassword?key=${apiKey}" \\
  -H "Content-Type: application/json" \\
  -d '{${credentials}, "returnSecureToken": true}' | ${readField('idToken')})`
}

function readField(name: string) {
  return `sed -n 's/.*"${name}": *"\\([^"]*\\)".*/\\1/p'`
}
