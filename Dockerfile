# The executable is built with all tools and runs without them.
FROM oven/bun:1.4.5-debian AS build
WORKDIR /src
COPY package.json bun.lock bunfig.toml ./
RUN bun install --production --omit=peer --frozen-lockfile
COPY . .
# An agent's project has files that Bun would read as its own settings, and run.
RUN bun build --compile --no-compile-autoload-dotenv --no-compile-autoload-bunfig --minify --sourcemap --bytecode --splitting --format=esm src/main.ts --outfile /out/beckon \
 && mkdir -p /out/data

FROM debian:13-slim
# Certificates of the push services that messages go to.
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin beckon
COPY --from=build /out/beckon /usr/local/bin/beckon
COPY --from=build --chown=10001:10001 /out/data /data
COPY LICENSE /usr/share/doc/beckon/LICENSE
USER 10001:10001
# A container is reached from outside it; who may reach the container is the engine's to say.
ENV BECKON_HOST=0.0.0.0 BECKON_PORT=8484 BECKON_DATA=/data
VOLUME /data
EXPOSE 8484
HEALTHCHECK --interval=30s --timeout=10s --start-period=10s --retries=3 CMD ["beckon", "health"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["beckon"]
CMD ["serve"]
