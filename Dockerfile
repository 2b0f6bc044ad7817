# docker build -t winged-wheels . && docker run -p 3000:3000 -v shop:/data --read-only --tmpfs /tmp -e DEMO=on winged-wheels
FROM node:26.12.1-bookworm-slim AS build
WORKDIR /shop
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --workspaces=false --ignore-scripts --no-audit --no-fund
COPY . .
RUN node -e "import('./bin/prepare.mjs').then(({ build }) => build())"

FROM node:26.12.1-bookworm-slim AS packages
WORKDIR /shop
COPY package.json package-lock.json .npmrc ./
# The image has this Node already.
RUN npm ci --omit=dev --workspaces=false --ignore-scripts --no-audit --no-fund && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:26.12.1-bookworm-slim
# The settings of bin/prepare.mjs, which starts the shop elsewhere.
ENV NODE_ENV=production NODE_OPTIONS="--max-semi-space-size=16 --max-old-space-size=1536" MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072
ENV HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /shop
COPY --from=packages /shop/node_modules node_modules
COPY --from=build /shop/build build
COPY package.json ./
COPY bin bin
COPY server server
COPY db/embedded/engine.ts db/embedded/engine-thread.ts db/embedded/
# The pictures and models of the demo's parts.
COPY db/seed/pictures db/seed/pictures
COPY db/seed/models db/seed/models
COPY db/seed/drawings db/seed/drawings
RUN install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 3000
# The time that the shop needs to stop is less than Docker's 10 seconds.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=300s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/main.ts"]
