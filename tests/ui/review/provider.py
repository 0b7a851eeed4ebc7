"""A provider of OpenID Connect on this machine: real discovery, keys, codes and signed tokens."""

from __future__ import annotations

import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit


class Provider:
    """Says of whoever comes what `claims` holds; `asked` keeps what it was asked for."""

    def __init__(self) -> None:
        from joserfc.jwk import RSAKey

        self.claims: dict[str, Any] = {}
        self.asked: list[str] = []
        self.key = RSAKey.generate_key(2048, {"kid": "test"}, private=True)
        self._codes: dict[str, str] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.url, "authorization_endpoint": f"{self.url}/authorize", "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys", "id_token_signing_alg_values_supported": ["RS256"],
        }  # fmt: skip

    def code(self, query: dict[str, list[str]]) -> str:
        """Where the browser is sent back to, with a code."""
        code = secrets.token_hex(8)
        self._codes[code] = query.get("nonce", [""])[0]
        back = urlencode({"code": code, "state": query["state"][0]})
        return f"{query['redirect_uri'][0]}?{back}"

    def token(self, code: str) -> dict[str, Any]:
        from joserfc import jwt

        now = int(time.time())
        claims = {
            "iss": self.url, "aud": "room", "iat": now, "exp": now + 300, "nonce": self._codes.pop(code), **self.claims,
        }  # fmt: skip
        signed = jwt.encode({"alg": "RS256", "kid": "test"}, claims, self.key)
        return {"access_token": "a", "token_type": "Bearer", "expires_in": 300, "id_token": signed}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
                provider.asked.append(path)
                if path == "/authorize":
                    self.send_response(302)
                    self.send_header("location", provider.code(query))
                    self.end_headers()
                elif path == "/keys":
                    self._say({"keys": [provider.key.as_dict(private=False)]})
                else:
                    self._say(provider.metadata())

            def do_POST(self) -> None:
                body = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
                provider.asked.append("/token")
                self._say(provider.token(body["code"][0]))

            def _say(self, value: dict[str, Any]) -> None:
                data = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: object) -> None:
                """Tests are quiet."""

        return Handler
