# A comment with "quotes", it's fine
FROM golang:1.22-alpine AS builder
ARG VERSION=1.0
WORKDIR /src
COPY go.mod go.sum ./
RUN apk add --no-cache git && \
    go build -o /app -ldflags "-X main.version=$VERSION" .
ENV PATH="/app:$PATH" DEBUG=1
EXPOSE 8080
USER nobody
HEALTHCHECK --interval=30s CMD curl -f http://localhost/ || exit 1
LABEL maintainer="it's me"
ADD https://example.com/a.tar.gz /tmp/
ENTRYPOINT ["/app", "--flag"]
CMD ["serve", "-p", "8080"]
