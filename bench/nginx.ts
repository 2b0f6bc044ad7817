import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes its configuration and what it stores into the folder. `http` is what stands in the block of that name. */
export function startNginx(folder: string, http: string): ChildProcess {
  // Its worker is another user.
  chmodSync(folder, 0o755)
  const file = join(folder, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = paths.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')
  writeFileSync(
    file,
    `worker_processes 1; daemon off; pid ${folder}/pid; error_log stderr;
    events { worker_connections 1024; }
    http { access_log off; ${temporary}
    ${http} }`,
  )
  return spawn('nginx', ['-p', folder, '-c', file], { stdio: 'ignore' })
}
