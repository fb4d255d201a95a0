"""A mail server (Debian's python3-aiosmtpd) for the tests: prints its port, then each mail, as JSON lines."""

import asyncio
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

mode, certificate, user, password = sys.argv[1:5]


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 5.1.1 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "tls": session.ssl is not None or mode == "tls",
            "user": session.auth_data.login.decode() if session.authenticated else None,
            "text": envelope.content.decode(),
        }
        print(json.dumps(mail), flush=True)
        return "250 OK"


def authenticate(server, session, envelope, mechanism, data):
    known = isinstance(data, LoginPassword) and (data.login, data.password) == (user.encode(), password.encode())
    return AuthResult(success=known, handled=False, auth_data=data)


async def main():
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    starttls = mode in ("starttls", "login")

    def protocol():
        return SMTP(
            Handler(),
            hostname="mail.test",
            loop=asyncio.get_running_loop(),
            tls_context=context if starttls else None,
            require_starttls=starttls,
            auth_required=mode != "none",
            auth_require_tls=starttls,
            auth_exclude_mechanism=["PLAIN"] if mode == "login" else [],
            authenticator=authenticate,
        )

    server = await asyncio.get_running_loop().create_server(
        protocol, "127.0.0.1", 0, ssl=context if mode == "tls" else None
    )
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await server.serve_forever()


asyncio.run(main())
