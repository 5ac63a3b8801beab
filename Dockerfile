# fake-walsender in a small image. docs/ci.md says how to run it, and who may connect.
FROM node:22-alpine AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:22-alpine
ENV NODE_ENV=production
COPY --from=build /build/package.json /opt/fake-walsender/
COPY --from=build /build/node_modules /opt/fake-walsender/node_modules
COPY --from=build /build/dist/cli /opt/fake-walsender/dist/cli
RUN ln -s /opt/fake-walsender/dist/cli/main.js /usr/local/bin/fake-walsender
WORKDIR /scenarios
USER node
EXPOSE 5432
ENTRYPOINT ["fake-walsender"]
CMD ["--help"]
