import json, os, sys
from oauthlib.oauth2 import OAuth2Error
from requests_oauthlib import OAuth2Session

base, ca = os.environ["URL"], os.environ["CA"]

def say(answer):
    print(json.dumps(answer))

session = OAuth2Session(os.environ["CLIENT"], redirect_uri=os.environ.get("REDIRECT"), scope=["read"])
session.verify = ca
if sys.argv[1] == "authorize":
    url, state = session.authorization_url(base + "/oauth/authorize")
    say({"url": url, "state": state})
    sys.exit()

secret = os.environ["SECRET"]
try:
    tokens = session.fetch_token(base + "/oauth/token", code=os.environ["CODE"], client_secret=secret,
                                 include_client_id=True, method=os.environ["METHOD"], verify=ca)
except OAuth2Error as error:
    say({"error": error.error, "description": error.description})
    sys.exit()
say(tokens)
say(session.get(base + "/api/getUserInfo").json())
say(session.refresh_token(base + "/oauth/token", client_id=os.environ["CLIENT"], client_secret=secret, verify=ca))
say(session.get(base + "/api/getUserInfo").json())
